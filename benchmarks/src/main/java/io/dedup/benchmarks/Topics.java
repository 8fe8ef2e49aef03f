// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Fills topics, each once. */
final class Topics {

  private final String kafka;
  private final Map<DatasetPlan, Dataset> filled = new HashMap<>();

  Topics(String kafka) {
    this.kafka = kafka;
  }

  /** Returns the records of a plan, published. */
  Dataset filled(DatasetPlan plan) {
    return filled.computeIfAbsent(
        plan,
        wanted -> {
          Dataset data = new Dataset("records-" + filled.size(), wanted);
          create(data);
          publish(data);
          return data;
        });
  }

  private void create(Dataset data) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka))) {
      admin
          .createTopics(List.of(new NewTopic(data.topic(), data.partitions(), (short) 1)))
          .all()
          .get();
      awaitLeaders(admin, data);
    } catch (ExecutionException e) {
      throw new IllegalStateException("topic cannot be created", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** A leader that does not know yet that it is one would have records sent again and again. */
  private static void awaitLeaders(Admin admin, Dataset data)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < data.partitions(); partition++) {
      ends.put(new TopicPartition(data.topic(), partition), OffsetSpec.latest());
    }
    admin.listOffsets(ends).all().get();
  }

  private void publish(Dataset data) {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties())) {
      for (int i = 0; i < data.records(); i++) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(data.topic(), data.partition(i), null, data.value(i));
        record.headers().add(new RecordHeader(Dataset.ID_HEADER, data.id(i).getBytes(UTF_8)));
        Future<?> unused =
            producer.send(
                record,
                (metadata, exception) -> {
                  if (exception != null) {
                    failure.set(exception);
                  }
                });
      }
      producer.flush();
    }
    Exception seen = failure.get();
    if (seen != null) {
      throw new IllegalStateException("topic cannot be filled", seen);
    }
  }

  private Map<String, Object> properties() {
    return Map.of(
        "bootstrap.servers",
        kafka,
        "key.serializer",
        ByteArraySerializer.class,
        "value.serializer",
        ByteArraySerializer.class,
        "linger.ms",
        5,
        "batch.size",
        64 * 1024,
        // In order, whatever is sent again.
        "max.in.flight.requests.per.connection",
        1);
  }
}
