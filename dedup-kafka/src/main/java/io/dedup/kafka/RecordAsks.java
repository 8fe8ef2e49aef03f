// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Ask;
import io.dedup.Delivery;
import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.kafka.key.RecordKeys;
import io.dedup.kafka.key.RecordReading;
import io.dedup.kafka.topic.RecordOrigins;
import io.dedup.kafka.topic.RecordSource;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.kafka.topic.TopicTtls;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Tells what to ask a store for a record: the first two rooms of the house, for whoever claims and
 * settles by itself. Thread-safe.
 */
public final class RecordAsks {

  private final String group;
  private final Policy base;
  private final Function<String, @Nullable TopicOptions> options;
  private final RecordOrigins origins;
  private final TopicTtls ttls;
  private final ProcessClock clock;
  private final Map<String, Topic> topics = new ConcurrentHashMap<>();

  /**
   * Makes the questions of a group.
   *
   * @param options of a topic by its name; null for one that has none
   */
  RecordAsks(
      String group,
      Policy base,
      Function<String, @Nullable TopicOptions> options,
      RecordOrigins origins,
      TopicTtls ttls,
      ProcessClock clock) {
    this.group = group;
    this.base = base;
    this.options = options;
    this.origins = origins;
    this.ttls = ttls;
    this.clock = clock;
  }

  /** What is known of a topic whose keys are read. */
  private record Topic(TopicOptions options, RecordKeys keys, Policy policy) {}

  /**
   * Returns what to ask for {@code record}.
   *
   * @param record as the listener gets it
   * @param raw the record as it was read, of which the fingerprint is taken; may be the same
   * @param suspect whether the record may be what ended the partition's last owner
   * @throws IllegalArgumentException if the topic has no options, or its {@link
   *     io.dedup.kafka.topic.TtlPolicy} answers with a ttl out of range; what the policy throws is
   *     thrown, too
   * @throws io.dedup.kafka.topic.TopicReadException if the topic's identity had to be read and
   *     could not be
   */
  public RecordAsk of(ConsumerRecord<?, ?> record, ConsumerRecord<?, ?> raw, boolean suspect) {
    Topic topic = topic(record);
    return topic
        .keys()
        .read(record, raw)
        .fold(
            keyed -> new RecordAsk.Keyed(ask(topic, keyed, record, raw, suspect)),
            unkeyed -> withoutKey(topic, unkeyed.where(), "is missing"),
            unreadable -> withoutKey(topic, unreadable.where(), unreadable.why()));
  }

  private Ask ask(
      Topic topic,
      RecordReading.Keyed keyed,
      ConsumerRecord<?, ?> record,
      ConsumerRecord<?, ?> raw,
      boolean suspect) {
    RecordSource source = keyed.source();
    Delivery delivery =
        Delivery.of(keyed.key())
            .withOrigin(source.origin())
            .withFingerprint(keyed.fingerprint())
            .withLabel(source.topic());
    if (suspect) {
      delivery = delivery.asSuspect();
    }
    String force = topic.options().forceHeader();
    if (force != null && raw.headers().lastHeader(force) != null) {
      delivery = delivery.asForced();
    }
    return new Ask(
        delivery, topic.policy().with(p -> p.ttl(ttls.ttl(source, record, clock.now()))));
  }

  private static RecordAsk withoutKey(Topic topic, String where, String why) {
    return topic.options().onMissingKey() == OnMissingKey.PROCESS
        ? new RecordAsk.Unguarded()
        : new RecordAsk.NoKey(where, why);
  }

  /** Returns whether records of {@code topic} have options of its own. */
  public boolean covers(String topic) {
    return topics.containsKey(topic) || options.apply(topic) != null;
  }

  /**
   * Reads what there is to know of topics, and logs how their records are told apart: call it at
   * start, and when topics are assigned that were not known at start.
   *
   * @throws io.dedup.kafka.topic.TopicReadException if a topic cannot be read
   * @throws IllegalArgumentException if a topic cannot be handled as its options say
   */
  public void prepare(Collection<String> names) {
    origins.identities().refresh(names);
    names.forEach(name -> named(name).keys().check(List.of(name)));
    ttls.resolve(names);
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

  /** Reads the retention of the topics again; a ttl that had become too short is logged. */
  public void rereadRetention() {
    ttls.reread();
  }

  /** Returns the identity of a topic. */
  public TopicIdentity identity(String topic) {
    return origins.identities().of(topic);
  }

  /** Returns the lease of claims of topics that have none of their own. */
  Duration lease() {
    return base.lease();
  }

  /** Returns the group that reads. */
  public String group() {
    return group;
  }

  /** A copy has the options of its own topic if there are any, else those of its original's. */
  private Topic topic(ConsumerRecord<?, ?> record) {
    if (covers(record.topic())) {
      return named(record.topic());
    }
    RecordSource source = origins.of(record);
    return named(source.topic());
  }

  private Topic named(String name) {
    return topics.computeIfAbsent(name, this::read);
  }

  private Topic read(String name) {
    TopicOptions found = options.apply(name);
    if (found == null) {
      throw new IllegalArgumentException("topic " + name + ": has no options, must have some");
    }
    RecordKeys keys =
        RecordKeys.of(origins, found.key()).fingerprint(found.fingerprint()).scope(found.scope());
    return new Topic(found, keys, found.policy(base));
  }
}
