// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.testkit.server.KafkaServer;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.kafka.support.KafkaHeaders;

/** Writes to the shared broker, and says what groups have committed there. */
final class SpringBroker implements AutoCloseable {

  static final int PARTITIONS = 2;

  private final KafkaServer server;
  private final Admin admin;
  private final KafkaProducer<String, String> producer;

  SpringBroker(KafkaServer server) {
    this.server = server;
    this.admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", server.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
  }

  String bootstrapServers() {
    return server.bootstrapServers();
  }

  void createTopic(String topic) {
    server.createTopic(topic, PARTITIONS, Map.of());
  }

  /** Sends a message whose key is {@code id}, or none if it is empty. */
  void send(String topic, int partition, String id, String value) {
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, partition, null, value);
    if (!id.isEmpty()) {
      record.headers().add("event-id", id.getBytes(UTF_8));
    }
    var unused = producer.send(record);
  }

  /** Sends what a retry topic gets of a record at this offset in another topic's partition 0. */
  void sendCopy(String topic, String original, long offset, String id, String value) {
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, null, value);
    record
        .headers()
        .add("event-id", id.getBytes(UTF_8))
        .add(KafkaHeaders.ORIGINAL_TOPIC, original.getBytes(UTF_8))
        .add(KafkaHeaders.ORIGINAL_PARTITION, ByteBuffer.allocate(4).putInt(0).array())
        .add(KafkaHeaders.ORIGINAL_OFFSET, ByteBuffer.allocate(8).putLong(offset).array());
    var unused = producer.send(record);
  }

  void flush() {
    producer.flush();
  }

  /** Returns how many records of the topic the group has behind it. */
  long committed(String group, String topic) {
    try {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .entrySet()
          .stream()
          .filter(one -> one.getKey().topic().equals(topic) && one.getValue() != null)
          .mapToLong(one -> one.getValue().offset())
          .sum();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Has the group, which has no member, read the topic from its beginning. */
  void rewind(String group, String topic) {
    Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
    for (int i = 0; i < PARTITIONS; i++) {
      start.put(new TopicPartition(topic, i), new OffsetAndMetadata(0));
    }
    try {
      admin.alterConsumerGroupOffsets(group, start).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
