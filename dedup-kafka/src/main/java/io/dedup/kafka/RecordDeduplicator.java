// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.Handler;
import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.ResultCodec;
import io.dedup.claim.StoreException;
import io.dedup.kafka.key.RecordKeys;
import io.dedup.kafka.key.RecordReading;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.RecordOrigins;
import io.dedup.kafka.topic.RecordSource;
import io.dedup.kafka.topic.TopicIdentities;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.kafka.topic.TopicTtls;
import io.dedup.kafka.topic.Ttl;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Has the effect of a record happen once, in a poll loop of the caller's own. Thread-safe.
 *
 * <p>The caller commits an offset only after {@link RecordOutcome#isDone()}, or after it has kept
 * the record elsewhere.
 */
public final class RecordDeduplicator {

  private final Deduplicator deduplicator;
  private final Map<String, TopicOptions> topics;
  private final Map<String, Policy> policies;
  private final RecordOrigins origins;
  private final Map<String, RecordKeys> keys;
  private final TopicTtls ttls;
  private final String group;
  private final ProcessClock clock;

  private RecordDeduplicator(Builder builder) {
    this.deduplicator = builder.deduplicator;
    this.topics = Map.copyOf(builder.topics);
    this.group = builder.group;
    this.clock = builder.clock;
    this.policies =
        topics.values().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    TopicOptions::topic, options -> options.policy(builder.base)));
    List<DeadLetterReplay> replays =
        topics.values().stream().map(TopicOptions::replay).filter(Objects::nonNull).toList();
    Admin admin = builder.admin;
    TopicIdentities identities =
        admin == null
            ? TopicIdentities.byName()
            : TopicIdentities.read(admin, builder.adminTimeout);
    this.origins = RecordOrigins.of(group, identities).believing(replays);
    this.keys =
        topics.values().stream()
            .collect(Collectors.toUnmodifiableMap(TopicOptions::topic, this::keys));
    TopicRules<Ttl> rules =
        TopicRules.of(
            topics.values().stream()
                .collect(Collectors.toMap(TopicOptions::topic, TopicOptions::ttl)));
    this.ttls =
        admin == null
            ? TopicTtls.withoutAdmin(rules)
            : TopicTtls.of(rules, admin, builder.adminTimeout);
  }

  /**
   * Returns a builder.
   *
   * @param group the consumer group that reads; not empty
   */
  public static Builder builder(Deduplicator deduplicator, String group) {
    return new Builder(deduplicator, group);
  }

  /**
   * Runs the handler unless the record's effect is done or somebody is at it.
   *
   * @return what became of it; a handler's exception is an outcome, too
   * @throws StoreException if there is trouble with the store: the handler was not started, or met
   *     it in a call of its own. The effect is not done
   * @throws IllegalArgumentException if the topic's {@link io.dedup.kafka.topic.TtlPolicy} answers
   *     with a ttl out of range; what the policy throws is thrown, too. The handler was not started
   * @throws Error what the handler threw, after its failure was stored
   * @throws io.dedup.kafka.topic.TopicReadException if the topic's identity had to be read and
   *     could not be
   */
  public <K, V> RecordOutcome process(ConsumerRecord<K, V> record, RecordHandler<K, V> handler) {
    return process(record, record, handler, false);
  }

  /**
   * Does what {@link #process(ConsumerRecord, RecordHandler)} does.
   *
   * @param raw the record as it was read, of which the fingerprint is taken
   * @param suspect whether the record may be what ended the partition's last owner
   */
  <K, V> RecordOutcome process(
      ConsumerRecord<?, ?> raw,
      ConsumerRecord<K, V> record,
      RecordHandler<K, V> handler,
      boolean suspect) {
    TopicOptions options = options(record.topic());
    return keys(record.topic())
        .read(record, raw)
        .fold(
            keyed ->
                guarded(delivery(keyed, raw, options, suspect), keyed.source(), record, handler),
            unkeyed -> withoutKey(options, record, handler, unkeyed.where(), "is missing"),
            bad -> withoutKey(options, record, handler, bad.where(), bad.why()));
  }

  private static Delivery delivery(
      RecordReading.Keyed keyed, ConsumerRecord<?, ?> raw, TopicOptions options, boolean suspect) {
    Delivery delivery =
        Delivery.of(keyed.key())
            .withOrigin(keyed.source().origin())
            .withFingerprint(keyed.fingerprint())
            .withLabel(keyed.source().topic());
    if (suspect) {
      delivery = delivery.asSuspect();
    }
    String force = options.forceHeader();
    boolean forced = force != null && raw.headers().lastHeader(force) != null;
    return forced ? delivery.asForced() : delivery;
  }

  private <K, V> RecordOutcome guarded(
      Delivery delivery,
      RecordSource source,
      ConsumerRecord<K, V> record,
      RecordHandler<K, V> handler) {
    Duration ttl = ttls.ttl(source, record, clock.now());
    Policy policy = Objects.requireNonNull(policies.get(record.topic())).with(p -> p.ttl(ttl));
    Handler<Void> effect =
        context -> {
          handler.handle(record, context);
          return null;
        };
    return new RecordOutcome.Guarded(
        deduplicator.execute(delivery, effect, ResultCodec.none(), policy));
  }

  private <K, V> RecordOutcome withoutKey(
      TopicOptions options,
      ConsumerRecord<K, V> record,
      RecordHandler<K, V> handler,
      String where,
      String why) {
    return options.onMissingKey() == OnMissingKey.PROCESS
        ? unguarded(record, handler)
        : new RecordOutcome.NoKey(where, why);
  }

  private <K, V> RecordOutcome unguarded(ConsumerRecord<K, V> record, RecordHandler<K, V> handler) {
    DedupContext context = new UnguardedContext(group, record);
    try {
      handler.handle(record, context);
      return new RecordOutcome.Unguarded();
    } catch (StoreException e) {
      // Trouble with a store is no failure of the handler, whether it runs under a claim or not.
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new RecordOutcome.UnguardedFailed(e);
    }
  }

  /**
   * Reads what there is to know of the topics, and logs how their records are told apart: call it
   * once, at start.
   *
   * @throws io.dedup.kafka.topic.TopicReadException if a topic cannot be read
   * @throws IllegalArgumentException if a topic cannot be handled as its options say
   */
  public void prepare() {
    origins.identities().refresh(topics.keySet());
    topics.keySet().forEach(name -> keys(name).check(List.of(name)));
    ttls.resolve(topics.keySet());
  }

  /**
   * Reads the identities of topics again: call it whenever partitions are assigned, since a topic
   * may have been created anew.
   *
   * @throws io.dedup.kafka.topic.TopicReadException if a topic cannot be read
   */
  public void assigned(Collection<String> names) {
    origins.identities().refresh(names);
  }

  /**
   * Reads the retention of the topics again. Returns nothing; a ttl that had become too short is
   * logged.
   */
  void rereadRetention() {
    ttls.reread();
  }

  private RecordKeys keys(TopicOptions options) {
    return RecordKeys.of(origins, options.key())
        .fingerprint(options.fingerprint())
        .scope(options.scope());
  }

  private RecordKeys keys(String topic) {
    options(topic);
    return Objects.requireNonNull(keys.get(topic));
  }

  TopicIdentity identity(String topic) {
    return origins.identities().of(topic);
  }

  String group() {
    return group;
  }

  private TopicOptions options(String topic) {
    TopicOptions options = topics.get(topic);
    if (options == null) {
      throw new IllegalArgumentException(
          "topic " + topic + ": has no options, must be one of " + topics.keySet());
    }
    return options;
  }

  /** Collects the parts of a record deduplicator. */
  public static final class Builder {
    private final Deduplicator deduplicator;
    private final String group;
    private final Map<String, TopicOptions> topics = new LinkedHashMap<>();
    private Policy base;
    private @Nullable Admin admin;
    private Duration adminTimeout = Duration.ofSeconds(30);
    private ProcessClock clock = ProcessClock.system();

    private Builder(Deduplicator deduplicator, String group) {
      this.deduplicator = deduplicator;
      this.group = group;
      this.base = deduplicator.policy();
    }

    /** Adds a topic. */
    public Builder topic(String name, UnaryOperator<TopicOptions> options) {
      return topic(options.apply(new TopicOptions(name)));
    }

    Builder topic(TopicOptions options) {
      if (topics.putIfAbsent(options.topic(), options) != null) {
        throw new IllegalArgumentException(
            "topic " + options.topic() + ": was given twice, must be given once");
      }
      return this;
    }

    /**
     * Sets the client by which identities and retentions of topics are read. Without one a topic is
     * known by its name alone, and each needs a ttl that is a duration.
     */
    public Builder admin(Admin client) {
      this.admin = client;
      return this;
    }

    Builder policy(Policy policy) {
      this.base = policy;
      return this;
    }

    Builder clock(ProcessClock value) {
      this.clock = value;
      return this;
    }

    /**
     * Returns the record deduplicator.
     *
     * @throws IllegalArgumentException if a topic's options do not go together
     */
    public RecordDeduplicator build() {
      if (topics.isEmpty()) {
        throw new IllegalArgumentException("topics: were none, must be at least one");
      }
      return new RecordDeduplicator(this);
    }
  }
}
