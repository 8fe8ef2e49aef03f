// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.OnConflict;
import io.dedup.OnMissingKey;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * What the configuration says of a topic. What is null is not said: the defaults hold.
 *
 * @param key where a record's key is, such as header:event-id, json:/order/id, key, cloudevents or
 *     offset; several joined by +, or the first present of several with | between them
 * @param ttl how long a key is known as done: retention (as long as the broker can deliver the
 *     record again), a duration such as 7d, or timestamp+7d
 * @param scope whose keys they are; by default those of the group and the topic
 * @param mode lease, transactional or tiered
 * @param guard enforce, shadow (run everything and report) or off
 * @param lease how long a key is blocked at most after its process died
 * @param maxProcessing how long a handler may run before its lease is renewed no more
 * @param onMissingKey what happens to records without a key: fail, or process them unguarded
 * @param fingerprint what tells a message from another one with its key: none, raw, json, or {@code
 *     fields:/pointer,/pointer}
 * @param onConflict what happens when a key arrives with another message
 * @param onLeaseExpired what happens to a key whose worker was lost: rerun, hold or probe
 * @param onFailed what the next delivery of a failed key gets: rerun or report
 * @param failedTtl how long a failure is remembered
 * @param failedBackOff how long nobody may try again after a failure
 * @param maxAttempts how many runs in a row may end without an answered settlement
 * @param onDuplicate skip; replay is refused, since replies are not kept yet
 * @param forceHeader the header that forces a record through although its key is done, once; by
 *     default none does
 * @param replay whether the topic holds copies of other topics' records
 * @param retention what ttl: retention reckons with
 */
public record TopicProperties(
    @Nullable String key,
    @Nullable String ttl,
    @Nullable String scope,
    @Nullable Mode mode,
    @Nullable Guard guard,
    @Nullable Duration lease,
    @Nullable Duration maxProcessing,
    @Nullable OnMissingKey onMissingKey,
    @Nullable String fingerprint,
    @Nullable OnConflict onConflict,
    @Nullable OnLeaseExpired onLeaseExpired,
    @Nullable OnFailed onFailed,
    @Nullable Duration failedTtl,
    @Nullable Duration failedBackOff,
    @Nullable Integer maxAttempts,
    @Nullable OnDuplicate onDuplicate,
    @Nullable String forceHeader,
    @NestedConfigurationProperty @Nullable Replay replay,
    @NestedConfigurationProperty @Nullable Retention retention) {

  /**
   * Headers that say what a record is a copy of. Whoever may write to the topic can claim any key
   * of the originals.
   *
   * @param enabled whether they are believed
   * @param originals the topics that records may be copies of; empty for any
   * @param group the group whose effects they are copies for; by default what the header says, else
   *     the group that reads
   */
  public record Replay(
      @Nullable Boolean enabled, @Nullable List<String> originals, @Nullable String group) {}

  /**
   * What the time for which a broker can deliver a record again depends on, beside the topic's own
   * configuration.
   *
   * @param outage the longest time a partition may have no live replica
   * @param held the longest time for which a member may hold records that it has fetched
   * @param producerHorizon the longest time after which a producer may send a message again
   * @param maxFutureTimestamp how far timestamps may lie ahead, where the broker sets no limit
   * @param checkInterval the brokers' log.retention.check.interval.ms, where they do not tell
   * @param copies the retry and dead-letter topics that can hold copies of the records
   */
  public record Retention(
      @Nullable Duration outage,
      @Nullable Duration held,
      @Nullable Duration producerHorizon,
      @Nullable Duration maxFutureTimestamp,
      @Nullable Duration checkInterval,
      @Nullable List<String> copies) {}

  /** Returns what topic says, and defaults where it says nothing. */
  static TopicProperties over(TopicProperties topic, TopicProperties defaults) {
    return RecordMerge.merge(TopicProperties.class, topic, defaults);
  }

  /** Merges records whose components may be null, component by component. */
  private static final class RecordMerge {

    static <R extends Record> R merge(Class<R> type, R first, R second) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = pick(types[i], value(components[i], first), value(components[i], second));
      }
      try {
        return type.getDeclaredConstructor(types).newInstance(values);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static @Nullable Object pick(
        Class<?> type, @Nullable Object first, @Nullable Object second) {
      if (first == null || second == null) {
        return first == null ? second : first;
      }
      return type.isRecord() ? merged(type.asSubclass(Record.class), first, second) : first;
    }

    private static <R extends Record> Record merged(Class<R> type, Object first, Object second) {
      return merge(type, type.cast(first), type.cast(second));
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
      try {
        return component.getAccessor().invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
