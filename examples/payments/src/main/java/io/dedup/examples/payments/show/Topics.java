// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** Publishes, and tells how far the groups are. */
final class Topics implements AutoCloseable {

  static final int PARTITIONS = 3;

  private final Admin admin;
  private final KafkaProducer<String, String> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private int sent;

  Topics(Stage stage) {
    this.admin = Admin.create(Map.of("bootstrap.servers", stage.kafka()));
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stage.kafka(), "acks", "all"),
            new StringSerializer(),
            new StringSerializer());
  }

  /** Publishes them, one partition after the other, so that duplicates meet on different ones. */
  void publish(List<Plan.Message> messages) {
    for (Plan.Message message : messages) {
      // A failure is kept for the flush that follows.
      Future<RecordMetadata> unused =
          producer.send(
              new ProducerRecord<>(message.topic(), sent++ % PARTITIONS, null, message.value()),
              (metadata, exception) -> {
                if (exception != null) {
                  failure.compareAndSet(null, exception);
                }
              });
    }
    producer.flush();
    if (failure.get() != null) {
      throw new IllegalStateException("a record was not published", failure.get());
    }
  }

  long published(String topic) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int i = 0; i < PARTITIONS; i++) {
      latest.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    return get(admin.listOffsets(latest).all()).values().stream()
        .mapToLong(end -> end.offset())
        .sum();
  }

  long done(String group) {
    return get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .values()
        .stream()
        .mapToLong(committed -> committed == null ? 0 : committed.offset())
        .sum();
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("offsets cannot be read", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
