// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Compares what is in the database with what was published. No member's own count is believed. */
final class Count {

  /** Says why a record became a dead letter. */
  static final String REASON_HEADER = "dedup-reason";

  private final Run run;
  private final Map<String, Place> executedBy = new HashMap<>();
  private final Set<Place> conflicts = new HashSet<>();
  private final Set<String> deadIds = new HashSet<>();
  private long rows;

  Count(Run run) {
    this.run = run;
  }

  Report report(Connection connection, long rejected, int killed, double seconds)
      throws SQLException {
    readEffects(connection);
    readTopic(run.deadLetterTopic(), this::readDeadLetter);
    Set<String> published = new HashSet<>();
    long[] counts = new long[3];
    readTopic(
        run.topic(),
        record -> {
          String id = text(record, Publisher.ID_HEADER);
          published.add(id);
          counts[0]++;
          Place place = new Place(record.partition(), record.offset());
          Place executed = executedBy.get(id);
          if (executed != null && !executed.equals(place) && !conflicts.contains(place)) {
            counts[executed.partition() == place.partition() ? 1 : 2]++;
          }
        });
    long executed = published.stream().filter(executedBy::containsKey).count();
    long lost =
        published.stream()
            .filter(id -> !executedBy.containsKey(id) && !deadIds.contains(id))
            .count();
    return new Report(
        counts[0],
        published.size(),
        executed,
        counts[0] - executed - conflicts.size(),
        counts[1],
        counts[2],
        conflicts.size(),
        rejected,
        lost,
        rows - executedBy.size(),
        killed,
        seconds,
        run.mode().label(),
        run.listener().label());
  }

  private void readEffects(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet effects =
            statement.executeQuery(
                "select delivery, source_partition, source_offset from " + run.effectTable())) {
      while (effects.next()) {
        rows++;
        executedBy.put(effects.getString(1), new Place(effects.getInt(2), effects.getLong(3)));
      }
    }
  }

  private void readDeadLetter(ConsumerRecord<byte[], byte[]> record) {
    deadIds.add(text(record, Publisher.ID_HEADER));
    if (text(record, REASON_HEADER).equals("CONFLICT")) {
      ByteBuffer partition = bytes(record, "kafka_dlt-original-partition");
      ByteBuffer offset = bytes(record, "kafka_dlt-original-offset");
      conflicts.add(new Place(partition.getInt(), offset.getLong()));
    }
  }

  private void readTopic(String topic, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", run.kafka(), "enable.auto.commit", "false");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream().map(Count::partition).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      boolean[] left = {true};
      while (left[0]) {
        consumer.poll(Duration.ofSeconds(1)).forEach(sink);
        left[0] = false;
        ends.forEach((partition, end) -> left[0] |= consumer.position(partition) < end);
      }
    }
  }

  private static TopicPartition partition(PartitionInfo info) {
    return new TopicPartition(info.topic(), info.partition());
  }

  private static String text(ConsumerRecord<?, ?> record, String header) {
    Header found = record.headers().lastHeader(header);
    return found == null ? "" : new String(found.value(), UTF_8);
  }

  private static ByteBuffer bytes(ConsumerRecord<?, ?> record, String header) {
    return ByteBuffer.wrap(record.headers().lastHeader(header).value());
  }

  private record Place(int partition, long offset) {}
}
