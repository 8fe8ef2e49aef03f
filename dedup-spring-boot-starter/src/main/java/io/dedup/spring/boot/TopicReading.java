// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static java.util.Objects.requireNonNullElse;

import io.dedup.EffectProbe;
import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.KeyScope;
import io.dedup.kafka.topic.MatchRetention;
import io.dedup.kafka.topic.Ttl;
import io.dedup.key.KeyExtractor;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the configuration says of a topic, and refuses what cannot be, by the property's name.
 *
 * @param keys reads the textual form of a key
 * @param base the application's policy
 * @param probe what {@link OnLeaseExpired#PROBE} asks, null if there is none
 */
record TopicReading(KeyParser keys, Policy base, @Nullable EffectProbe probe) {

  /**
   * Returns the settings.
   *
   * @param prefix the name of the properties, without the last part
   * @param rule the topic or pattern
   * @param said what holds for it, the defaults included
   */
  TopicSettings read(String prefix, String rule, TopicProperties said) {
    String key = said.key();
    KeyExtractor<ConsumerRecord<?, ?>> extractor =
        key == null ? null : checked(prefix + ".key", key, () -> keys.parse(key));
    Ttl ttl = ttl(prefix, said);
    Mode mode = requireNonNullElse(said.mode(), Mode.LEASE);
    UnaryOperator<Policy.Builder> changes = changes(said);
    checkPolicy(prefix, changes, ttl, mode);
    String scope = said.scope();
    String fingerprint = requireNonNullElse(said.fingerprint(), "none");
    return new TopicSettings(
        rule,
        extractor,
        ttl,
        scope == null
            ? KeyScope.groupAndTopic()
            : checked(prefix + ".scope", scope, () -> KeyScope.fixed(scope)),
        mode,
        requireNonNullElse(said.guard(), Guard.ENFORCE),
        requireNonNullElse(said.onMissingKey(), OnMissingKey.FAIL),
        checked(prefix + ".fingerprint", fingerprint, () -> Fingerprints.parse(fingerprint)),
        requireNonNullElse(said.onDuplicate(), OnDuplicate.SKIP),
        changes,
        said.lease() != null,
        forceHeader(prefix, said.forceHeader()),
        replay(prefix, said.replay()));
  }

  private static Ttl ttl(String prefix, TopicProperties said) {
    String text = requireNonNullElse(said.ttl(), "retention").strip();
    Ttl ttl = checked(prefix + ".ttl", text, () -> Ttl.parse(text));
    TopicProperties.Retention retention = said.retention();
    if (retention == null || !(ttl instanceof MatchRetention match)) {
      return ttl;
    }
    return checked(prefix + ".retention", "", () -> tuned(match, retention));
  }

  private static MatchRetention tuned(MatchRetention base, TopicProperties.Retention said) {
    List<String> copies = said.copies();
    return new MatchRetention(
        requireNonNullElse(said.outage(), base.outage()),
        requireNonNullElse(said.held(), base.held()),
        requireNonNullElse(said.producerHorizon(), base.producerHorizon()),
        requireNonNullElse(said.maxFutureTimestamp(), base.maxFutureTimestamp()),
        said.checkInterval(),
        copies == null ? base.copies() : Set.copyOf(copies));
  }

  private UnaryOperator<Policy.Builder> changes(TopicProperties said) {
    return policy -> {
      set(said.lease(), policy::lease);
      set(said.maxProcessing(), policy::maxProcessing);
      set(said.failedTtl(), policy::failedTtl);
      set(said.failedBackOff(), policy::failedBackOff);
      set(said.onConflict(), policy::onConflict);
      set(said.onFailed(), policy::onFailed);
      set(said.maxAttempts(), policy::maxAttempts);
      set(said.onLeaseExpired(), policy::onLeaseExpired);
      if (said.onLeaseExpired() == OnLeaseExpired.PROBE && probe != null) {
        policy.probe(probe);
      }
      return policy;
    };
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  /** A policy that cannot be is refused now, and not at the first record. */
  private void checkPolicy(
      String prefix, UnaryOperator<Policy.Builder> changes, Ttl ttl, Mode mode) {
    Policy policy;
    try {
      // A ttl that is known comes in together with a lease that may be longer than the default one.
      policy = base.with(p -> changes.apply(ttl instanceof Ttl.Fixed f ? p.ttl(f.ttl()) : p));
    } catch (IllegalArgumentException e) {
      throw ConfigurationRefused.property(prefix + "." + e.getMessage(), "", e);
    }
    if (mode.isTransactional() && policy.onLeaseExpired() == OnLeaseExpired.PROBE) {
      throw ConfigurationRefused.property(
          prefix + ".on-lease-expired: was probe, must be rerun or hold where mode is " + mode,
          "",
          null);
    }
  }

  private static @Nullable String forceHeader(String prefix, @Nullable String name) {
    if (name != null && name.isBlank()) {
      throw ConfigurationRefused.property(
          prefix + ".force-header: was blank, must name a header", "", null);
    }
    return name;
  }

  private static TopicSettings.@Nullable Replay replay(
      String prefix, TopicProperties.@Nullable Replay said) {
    if (said == null || Boolean.FALSE.equals(said.enabled())) {
      return null;
    }
    TopicSettings.Replay replay =
        new TopicSettings.Replay(
            List.copyOf(requireNonNullElse(said.originals(), List.of())), said.group());
    // The topic's own name comes later; what is wrong with the others is found with any.
    checked(prefix + ".replay", "", () -> checkNames(replay));
    return replay;
  }

  private static DeadLetterReplay checkNames(TopicSettings.Replay replay) {
    return replay.from("dedup-check-of-names");
  }

  private static <T> T checked(String property, String value, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      String was = value.isEmpty() ? "" : "was '" + value + "'; ";
      throw ConfigurationRefused.property(property + ": " + was + e.getMessage(), "", e);
    }
  }
}
