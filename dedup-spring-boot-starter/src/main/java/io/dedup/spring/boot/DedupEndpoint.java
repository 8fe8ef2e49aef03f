// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Answers why a message was skipped, and lets an operator decide about a key.
 *
 * <p>Read-only unless {@code management.endpoint.dedup.access=unrestricted}. Whoever may write here
 * can have an effect happen again, or never: let only operators in, by the security of the
 * actuator. What they do is kept in the key's record and told as an audit event, with who and why.
 */
@Endpoint(id = "dedup", defaultAccess = Access.READ_ONLY)
public final class DedupEndpoint {

  private static final String ANONYMOUS_HINT =
      ", must name the operator, since nobody is logged in";

  private final Supplier<List<ClaimStore>> stores;
  private final ApplicationEventPublisher events;

  /**
   * Makes the endpoint.
   *
   * @param stores where keys are looked for, in this order; at least one
   */
  DedupEndpoint(Supplier<List<ClaimStore>> stores, ApplicationEventPublisher events) {
    this.stores = stores;
    this.events = events;
  }

  /**
   * Returns what is known of a key.
   *
   * @param id of the message
   * @param scope the key's scope; for Kafka, group and topic may be given instead
   * @param group the consumer group
   * @param topic the topic
   */
  @ReadOperation
  public KeyReport find(
      String id, @Nullable String scope, @Nullable String group, @Nullable String topic) {
    IdempotencyKey key = key(id, scope, group, topic);
    return report(holding(key), key);
  }

  /** Returns the first store that has the key; the first of all if none has. */
  private ClaimStore holding(IdempotencyKey key) {
    List<ClaimStore> all = stores.get();
    return all.stream().filter(store -> store.find(key).isPresent()).findFirst().orElse(all.get(0));
  }

  private static KeyReport report(ClaimStore store, IdempotencyKey key) {
    return store.find(key).map(KeyReport::of).orElseGet(KeyReport::absent);
  }

  /**
   * Decides about a key by hand.
   *
   * @param action {@code reopen}: the next delivery runs, though the effect is done or failed;
   *     {@code done} or {@code not-done}: what was found out about a key in doubt
   * @param id of the message
   * @param scope the key's scope; for Kafka, group and topic may be given instead
   * @param token of the lost claim, for {@code done} and {@code not-done}
   * @param ttl how long the key is known as done, for {@code done}; 7 days unless given
   * @param who the operator; taken from the login where there is one
   * @param why the reason
   */
  @WriteOperation
  public Change decide(
      SecurityContext security,
      @Selector String action,
      String id,
      @Nullable String scope,
      @Nullable String group,
      @Nullable String topic,
      @Nullable Long token,
      @Nullable String ttl,
      @Nullable String who,
      String why) {
    IdempotencyKey key = key(id, scope, group, topic);
    String operator = operator(security, who);
    ClaimStore store = holding(key);
    SettleAnswer answer =
        switch (action) {
          case "reopen" -> store.reopen(key, operator, present("why", why));
          case "done" ->
              resolve(store, key, token, new Resolution.Done(null, ttl(ttl)), operator, why);
          case "not-done" -> resolve(store, key, token, new Resolution.NotDone(), operator, why);
          default ->
              throw refused("action: was '" + action + "', must be reopen, done or not-done");
        };
    boolean applied = answer instanceof SettleAnswer.Applied;
    audit(operator, action, key, why, applied);
    return new Change(applied, report(store, key));
  }

  /**
   * What became of a decision.
   *
   * @param applied whether it holds; if not, the key is not in a state for it, or the token is not
   *     its newest
   * @param now what is known of the key after it
   */
  public record Change(boolean applied, KeyReport now) {}

  private static SettleAnswer resolve(
      ClaimStore store,
      IdempotencyKey key,
      @Nullable Long token,
      Resolution resolution,
      String who,
      String why) {
    if (token == null) {
      throw refused("token: was missing, must be that of the lost claim");
    }
    return store.resolve(key, token, resolution, who, present("why", why));
  }

  private static Duration ttl(@Nullable String text) {
    if (text == null) {
      return Duration.ofDays(7);
    }
    try {
      return DurationStyle.detectAndParse(text);
    } catch (IllegalArgumentException e) {
      throw refused("ttl: was '" + text + "', must be a duration such as 7d");
    }
  }

  /** Who is logged in cannot act in another's name. */
  private static String operator(SecurityContext security, @Nullable String who) {
    Principal principal = security.getPrincipal();
    if (principal != null) {
      return principal.getName();
    }
    if (who == null || who.isBlank()) {
      throw refused("who: was missing" + ANONYMOUS_HINT);
    }
    return who;
  }

  private static IdempotencyKey key(
      String id, @Nullable String scope, @Nullable String group, @Nullable String topic) {
    if (scope != null && group == null && topic == null) {
      return IdempotencyKey.of(present("scope", scope), present("id", id));
    }
    if (scope == null && group != null && topic != null) {
      return IdempotencyKey.of(CompositeId.join(List.of(group, topic)), present("id", id));
    }
    throw refused("scope: must be given, or group and topic instead");
  }

  private static String present(String name, String value) {
    if (value.isBlank()) {
      throw refused(name + ": was blank, must be given");
    }
    return value;
  }

  private void audit(String who, String action, IdempotencyKey key, String why, boolean applied) {
    String type = "DEDUP_" + action.toUpperCase(Locale.ROOT).replace('-', '_');
    events.publishEvent(
        new AuditApplicationEvent(
            who,
            type,
            Map.of("scope", key.scope(), "id", key.id(), "why", why, "applied", applied)));
  }

  private static InvalidEndpointRequestException refused(String what) {
    return new InvalidEndpointRequestException(what, what);
  }
}
