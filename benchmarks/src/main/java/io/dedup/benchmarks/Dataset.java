// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * The records of one topic, known by their places: so what a handler ran can be counted for each id
 * without asking anybody.
 */
final class Dataset {

  static final String ID_HEADER = "event-id";

  private static final int VALUE_BYTES = 200;
  private static final String FILLER = "x".repeat(VALUE_BYTES);

  private final String topic;
  private final DatasetPlan plan;

  /** The number of the id of each record, in the order of publishing. */
  private final int[] ids;

  private final int distinct;

  Dataset(String topic, DatasetPlan plan) {
    this.topic = topic;
    this.plan = plan;
    this.ids = new int[plan.records()];
    Random random = new Random(plan.seed());
    int next = 0;
    for (int i = 0; i < ids.length; i++) {
      boolean repeats = next > 0 && random.nextDouble() < plan.duplicates();
      ids[i] = repeats ? random.nextInt(next) : next++;
    }
    this.distinct = next;
  }

  String topic() {
    return topic;
  }

  int records() {
    return ids.length;
  }

  int partitions() {
    return plan.partitions();
  }

  int distinct() {
    return distinct;
  }

  int partition(int record) {
    return record % plan.partitions();
  }

  /** The id of a published record: 36 characters. */
  String id(int record) {
    return new UUID(ids[record] * 0x9E3779B97F4A7C15L, plan.seed() ^ ids[record]).toString();
  }

  /** A JSON object of {@value #VALUE_BYTES} bytes. */
  byte[] value(int record) {
    String start = "{\"id\":\"" + id(record) + "\",\"amount\":" + (record % 1000) + ",\"note\":\"";
    return (start + FILLER.substring(0, VALUE_BYTES - start.length() - 2) + "\"}").getBytes(UTF_8);
  }

  /** The number of a consumed record's id, from 0 to below {@link #distinct()}. */
  int idNumber(ConsumerRecord<?, ?> record) {
    return ids[Math.toIntExact(record.offset() * plan.partitions() + record.partition())];
  }

  /** The id of a consumed record, as its header says. */
  static String idOf(ConsumerRecord<?, ?> record) {
    Header header = record.headers().lastHeader(ID_HEADER);
    if (header == null) {
      throw new IllegalArgumentException("record without " + ID_HEADER);
    }
    return new String(header.value(), UTF_8);
  }
}
