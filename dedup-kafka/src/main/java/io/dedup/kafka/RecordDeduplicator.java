// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Ask;
import io.dedup.Claims;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.Handler;
import io.dedup.Policy;
import io.dedup.ResultCodec;
import io.dedup.claim.StoreException;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.RecordOrigins;
import io.dedup.kafka.topic.TopicIdentities;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.kafka.topic.TopicTtls;
import io.dedup.kafka.topic.Ttl;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
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
  private final Set<String> topics;
  private final RecordAsks asks;

  private RecordDeduplicator(Deduplicator deduplicator, Set<String> topics, RecordAsks asks) {
    this.deduplicator = deduplicator;
    this.topics = Set.copyOf(topics);
    this.asks = asks;
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
    return asks.of(record, raw, suspect)
        .fold(
            keyed -> guarded(keyed.ask(), record, handler),
            unguarded -> unguarded(record, handler),
            noKey -> new RecordOutcome.NoKey(noKey.where(), noKey.why()));
  }

  private <K, V> RecordOutcome guarded(
      Ask ask, ConsumerRecord<K, V> record, RecordHandler<K, V> handler) {
    Handler<Void> effect =
        context -> {
          handler.handle(record, context);
          return null;
        };
    return new RecordOutcome.Guarded(
        deduplicator.execute(ask.delivery(), effect, ResultCodec.none(), ask.policy()));
  }

  /** Runs the handler without a claim. */
  <K, V> RecordOutcome unguarded(ConsumerRecord<K, V> record, RecordHandler<K, V> handler) {
    DedupContext context = new UnguardedContext(asks.group(), record);
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
    asks.prepare(topics);
  }

  /**
   * Reads the identities of topics again: call it whenever partitions are assigned, since a topic
   * may have been created anew.
   *
   * @throws io.dedup.kafka.topic.TopicReadException if a topic cannot be read
   */
  public void assigned(Collection<String> names) {
    asks.assigned(names);
  }

  Deduplicator deduplicator() {
    return deduplicator;
  }

  Claims claims() {
    return deduplicator.claims();
  }

  /** Returns what is asked for each record, for a loop that claims and settles by itself. */
  public RecordAsks asks() {
    return asks;
  }

  /**
   * Reads the retention of the topics again. Returns nothing; a ttl that had become too short is
   * logged.
   */
  void rereadRetention() {
    asks.rereadRetention();
  }

  TopicIdentity identity(String topic) {
    return asks.identity(topic);
  }

  String group() {
    return asks.group();
  }

  /** Collects the parts of a record deduplicator. */
  public static final class Builder {
    private final Deduplicator deduplicator;
    private final String group;
    private final Map<String, TopicOptions> topics = new LinkedHashMap<>();
    private final List<DeadLetterReplay> copies = new ArrayList<>();
    private @Nullable TopicRules<UnaryOperator<TopicOptions>> rules;
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

    /**
     * Sets the options of topics that are not added one by one, for a consumer that subscribes to a
     * pattern.
     */
    public Builder topics(TopicRules<UnaryOperator<TopicOptions>> options) {
      this.rules = options;
      return this;
    }

    /**
     * Adds a topic of copies, whose records have the options of their originals' topics. Its
     * headers are believed.
     */
    public Builder copies(DeadLetterReplay replay) {
      this.copies.add(replay);
      return this;
    }

    /** Sets the policy on top of which each topic's is made; by default the deduplicator's. */
    public Builder policy(Policy policy) {
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
      if (topics.isEmpty() && rules == null) {
        throw new IllegalArgumentException("topics: were none, must be at least one");
      }
      // Whatever does not go together is refused now, and not at the first record.
      topics.values().forEach(options -> options.policy(base));
      topics.values().forEach(TopicOptions::key);
      return new RecordDeduplicator(deduplicator, topics.keySet(), asks());
    }

    private RecordAsks asks() {
      List<DeadLetterReplay> replays = new ArrayList<>(copies);
      topics.values().stream()
          .map(TopicOptions::replay)
          .filter(Objects::nonNull)
          .forEach(replays::add);
      if (rules != null) {
        rules.forEach(
            (text, found) -> {
              DeadLetterReplay replay = found.apply(new TopicOptions(text)).replay();
              if (replay != null) {
                replays.add(replay);
              }
            });
      }
      TopicIdentities identities =
          admin == null ? TopicIdentities.byName() : TopicIdentities.read(admin, adminTimeout);
      RecordOrigins origins = RecordOrigins.of(group, identities).believing(replays);
      TopicRules<Ttl> ttlRules = TopicRules.of(ttls());
      TopicTtls ttls =
          admin == null
              ? TopicTtls.withoutAdmin(ttlRules)
              : TopicTtls.of(ttlRules, admin, adminTimeout);
      return new RecordAsks(group, base, this::options, origins, ttls, clock);
    }

    private @Nullable TopicOptions options(String topic) {
      TopicOptions named = topics.get(topic);
      if (named != null || rules == null) {
        return named;
      }
      return rules.find(topic).map(found -> found.apply(new TopicOptions(topic))).orElse(null);
    }

    private Map<String, Ttl> ttls() {
      Map<String, Ttl> ttls = new HashMap<>();
      if (rules != null) {
        rules.forEach((text, found) -> ttls.put(text, found.apply(new TopicOptions(text)).ttl()));
      }
      topics.values().forEach(options -> ttls.put(options.topic(), options.ttl()));
      return ttls;
    }
  }
}
