// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a batch its listener gets. What comes behind a refused record is left for
 * another time: the error handler reads it again.
 *
 * @param original the container's batch
 * @param delivered what the listener gets, in order
 * @param positions the place of each in the container's batch
 * @param held the claim of each, null for one that runs without
 * @param skipped what is done before the batch ends, by its twin in this process; null for one that
 *     the store knows as done
 * @param refused the record that ends the batch, null if none does
 */
record BatchPlan<K, V>(
    List<ConsumerRecord<K, V>> original,
    List<ConsumerRecord<K, V>> delivered,
    List<Integer> positions,
    List<@Nullable Held> held,
    Map<ConsumerRecord<K, V>, @Nullable Held> skipped,
    @Nullable Refused<K, V> refused) {

  /** A record that is not handled. */
  record Refused<K, V>(ConsumerRecord<K, V> record, RecordRefused cause) {}

  /** Returns the plan, giving back what was claimed and is left. */
  static <K, V> BatchPlan<K, V> of(
      ConsumerWork work, List<ConsumerRecord<K, V>> records, List<Verdict> verdicts) {
    List<ConsumerRecord<K, V>> delivered = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    List<@Nullable Held> held = new ArrayList<>();
    Map<ConsumerRecord<K, V>, @Nullable Held> skipped = new LinkedHashMap<>();
    List<Held> left = new ArrayList<>();
    Refused<K, V> refused = null;
    for (int i = 0; i < records.size(); i++) {
      Verdict verdict = verdicts.get(i);
      if (verdict instanceof Verdict.Run run) {
        if (refused == null) {
          delivered.add(records.get(i));
          positions.add(i);
          held.add(run.held());
        } else if (run.held() != null) {
          left.add(run.held());
        }
      } else if (refused == null && verdict instanceof Verdict.Refuse refuse) {
        refused = new Refused<>(records.get(i), refuse.cause());
      } else if (refused == null && verdict instanceof Verdict.Skip skip) {
        skipped.put(records.get(i), skip.twin());
      }
    }
    work.guard().claims().release(left);
    return new BatchPlan<>(records, delivered, positions, held, skipped, refused);
  }

  int size() {
    return delivered.size();
  }

  /** Returns the claims of the records that the listener gets, from one place to before another. */
  List<Held> held(int from, int to) {
    return held.subList(from, to).stream().filter(Objects::nonNull).toList();
  }

  /** Returns what the listener gets as the result of a poll. */
  ConsumerRecords<K, V> deliveredOf(@Nullable ConsumerRecords<K, V> polled) {
    Map<TopicPartition, List<ConsumerRecord<K, V>>> kept = new LinkedHashMap<>();
    for (ConsumerRecord<K, V> record : delivered) {
      kept.computeIfAbsent(Unsettled.partition(record), p -> new ArrayList<>()).add(record);
    }
    return new ConsumerRecords<>(kept, polled == null ? Map.of() : polled.nextOffsets());
  }

  /**
   * Returns the place in the container's batch up to which it is acknowledged when the listener
   * acknowledges its own up to {@code index}: the duplicates behind that go with it.
   */
  int acknowledgedTo(int index) {
    return index == delivered.size() - 1 ? original.size() - 1 : positions.get(index + 1) - 1;
  }
}
