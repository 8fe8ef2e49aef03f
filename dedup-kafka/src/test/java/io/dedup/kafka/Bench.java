// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.KeyScope;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ManualTime;
import io.dedup.testkit.server.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic, a group and a store of one test, and the effects that its handlers had. */
final class Bench implements AutoCloseable {

  static final String ID = "event-id";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final String topic = "orders-" + UUID.randomUUID();
  final String group = "billing-" + UUID.randomUUID();
  final ManualTime time = ManualTime.atBeginning();
  final ClaimStore store = InMemoryClaimStore.create(time, 10_000);
  final List<String> effects = new CopyOnWriteArrayList<>();
  final Admin admin;
  final KafkaProducer<byte[], byte[]> producer;
  private final String servers;
  private final int partitions;
  private final List<AutoCloseable> open = new ArrayList<>();

  Bench(KafkaServer kafka, int partitions) {
    this.servers = kafka.bootstrapServers();
    this.partitions = partitions;
    this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    this.producer = producer(Map.of());
    kafka.createTopic(topic, partitions, Map.of());
    kafka.createTopic(deadLetterTopic(), 1, Map.of());
  }

  String deadLetterTopic() {
    return topic + "-dlt";
  }

  KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", servers);
    KafkaProducer<byte[], byte[]> made =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    open.add(made);
    return made;
  }

  /** Publishes a record whose value says what its effect is; without a header if the id is null. */
  void publish(int partition, String id, String value) {
    send(producer, record(partition, id, value));
  }

  static void send(KafkaProducer<byte[], byte[]> with, ProducerRecord<byte[], byte[]> record) {
    try {
      with.send(record).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("not published", e);
    }
  }

  ProducerRecord<byte[], byte[]> record(int partition, String id, String value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8));
    if (id != null) {
      record.headers().add(ID, id.getBytes(UTF_8));
    }
    return record;
  }

  Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", servers);
    properties.put("group.id", group);
    properties.put("auto.offset.reset", "earliest");
    properties.put("key.deserializer", ByteArrayDeserializer.class);
    properties.put("value.deserializer", StringDeserializer.class);
    return properties;
  }

  Deduplicator deduplicator(ClaimStore on) {
    Deduplicator made = Deduplicator.builder(on).build();
    open.add(made);
    return made;
  }

  /**
   * Returns a builder of a consumer of the topic, with ids in a header and dead letters, and a
   * quick back-off.
   */
  IdempotentConsumer.Builder<byte[], String> consumer(
      Map<String, Object> properties, UnaryOperator<TopicOptions> options) {
    return IdempotentConsumer.<byte[], String>builder(properties)
        .topic(topic, t -> options.apply(t.key(KeyExtractors.header(ID)).ttl(Duration.ofDays(1))))
        .deduplicator(deduplicator(store))
        .backOff(new BackOff(Duration.ofMillis(20), Duration.ofMillis(100), 2))
        .deadLetters(DeadLetters.to(producer))
        .handler(this::effect);
  }

  IdempotentConsumer.Builder<byte[], String> consumer() {
    return consumer(properties(), t -> t);
  }

  void effect(ConsumerRecord<byte[], String> record, DedupContext context) {
    effects.add(record.value());
  }

  <T extends IdempotentConsumer<?, ?>> T started(T consumer) {
    open.add(consumer);
    consumer.start();
    return consumer;
  }

  IdempotencyKey key(String id) {
    return IdempotencyKey.of(scope(), id);
  }

  private String scope() {
    return KeyScope.groupAndTopic()
        .of(new io.dedup.kafka.topic.RecordSource(group, topic, null, false));
  }

  void awaitNoLag() {
    awaitNoLag(group);
  }

  void awaitNoLag(String ofGroup) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(committed(ofGroup)).isEqualTo(ends()));
  }

  Map<Integer, Long> ends() throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    IntStream.range(0, partitions)
        .forEach(p -> latest.put(new TopicPartition(topic, p), OffsetSpec.latest()));
    Map<Integer, Long> ends = new HashMap<>();
    admin
        .listOffsets(latest)
        .all()
        .get()
        .forEach(
            (partition, end) -> {
              if (end.offset() > 0) {
                ends.put(partition.partition(), end.offset());
              }
            });
    return ends;
  }

  Map<Integer, Long> committed(String ofGroup) throws Exception {
    Map<Integer, Long> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(ofGroup)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach(
            (partition, offset) -> {
              if (offset != null && offset.offset() > 0) {
                committed.put(partition.partition(), offset.offset());
              }
            });
    return committed;
  }

  /** Sets the group back, while it has no members. */
  void seek(int partition, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  List<ConsumerRecord<byte[], byte[]>> deadLetters(int count) {
    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers, "enable.auto.commit", "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(deadLetterTopic(), 0);
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                reader.poll(Duration.ofMillis(200)).forEach(letters::add);
                return letters.size() >= count;
              });
    }
    return letters;
  }

  static String header(ConsumerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  static void awaitUntil(Callable<Boolean> condition) {
    await().atMost(PATIENCE).until(condition);
  }

  @Override
  public void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    admin.close();
  }
}
