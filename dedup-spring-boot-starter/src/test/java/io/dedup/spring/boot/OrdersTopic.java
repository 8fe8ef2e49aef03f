// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.KafkaServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic of two partitions, and the group that reads it. */
final class OrdersTopic implements AutoCloseable {

  static final String GROUP = "billing";
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final KafkaServer kafka;
  private final String name;
  private final String group;
  private final Admin admin;
  private final KafkaProducer<String, String> producer;
  private long sent;

  OrdersTopic(KafkaServer kafka) {
    this(kafka, "orders-" + UUID.randomUUID(), GROUP);
    kafka.createTopic(name, 2, Map.of());
  }

  /** One that is there already. */
  OrdersTopic(KafkaServer kafka, String name, String group) {
    this.kafka = kafka;
    this.name = name;
    this.group = group;
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    this.admin = Admin.create(client);
    this.producer = new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
  }

  /** What an application needs to read the topic in the mode. */
  String[] properties(String mode) {
    return properties(kafka, name, mode);
  }

  /** What an application needs to read topics of this name or pattern in the mode. */
  static String[] properties(KafkaServer kafka, String topics, String mode) {
    return new String[] {
      "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
      "spring.kafka.consumer.auto-offset-reset=earliest",
      "spring.kafka.consumer.fetch-max-wait=50ms",
      "spring.kafka.consumer.max-poll-records=10",
      "test.topic=" + topics,
      "dedup.kafka.topics." + topics + ".key=header:event-id",
      "dedup.kafka.topics." + topics + ".ttl=7d",
      "dedup.kafka.topics." + topics + ".mode=" + mode,
    };
  }

  /** Sends an order. */
  void send(int partition, String id, String order) {
    ProducerRecord<String, String> record = new ProducerRecord<>(name, partition, null, order);
    record.headers().add("event-id", id.getBytes(UTF_8));
    var unused = producer.send(record);
    sent++;
  }

  void flush() {
    producer.flush();
  }

  /** Waits until the group has all behind it that was sent. */
  void awaitEnd() {
    producer.flush();
    await().alias("committed of " + sent).atMost(BOUND).until(() -> committed() == sent);
  }

  /** Has the group, which has no member, read the topic from its beginning. */
  void rewind() {
    OffsetAndMetadata start = new OffsetAndMetadata(0);
    try {
      admin
          .alterConsumerGroupOffsets(
              group, Map.of(new TopicPartition(name, 0), start, new TopicPartition(name, 1), start))
          .all()
          .get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private long committed() throws ExecutionException, InterruptedException {
    return admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .entrySet()
        .stream()
        .filter(entry -> entry.getKey().topic().equals(name) && entry.getValue() != null)
        .mapToLong(entry -> entry.getValue().offset())
        .sum();
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
