// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.idOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.NewTopics;
import io.dedup.kafka.topic.OriginalHeaders;
import io.dedup.kafka.topic.RecordOrigins;
import io.dedup.kafka.topic.TopicIdentities;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyExtractor;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.UUIDSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.support.JsonKafkaHeaderMapper;
import org.springframework.messaging.MessageHeaders;

/** Records that went through a broker, written by Kafka's and Spring's own classes. */
class RecordKeysBrokerTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;

  private final String topic = "keys-" + UUID.randomUUID();

  @BeforeAll
  static void connect() {
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.get().bootstrapServers());
    admin = Admin.create(properties);
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterAll
  static void close() {
    producer.close();
    admin.close();
  }

  private void send(Headers headers, byte[] value) throws Exception {
    producer
        .send(new ProducerRecord<>(topic, 0, new byte[0], value, headers))
        .get(10, TimeUnit.SECONDS);
  }

  private List<ConsumerRecord<byte[], byte[]>> receive(String from, int count) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers", kafka.get().bootstrapServers(), "auto.offset.reset", "earliest");
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition(from, 0)));
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() >= count;
              });
    }
    return records;
  }

  private RecordOrigins origins(String group) {
    return RecordOrigins.of(group, TopicIdentities.read(admin, Duration.ofSeconds(10)));
  }

  private static RecordReading.Keyed keyed(RecordKeys keys, ConsumerRecord<?, ?> record) {
    return (RecordReading.Keyed) keys.read(record);
  }

  @Test
  void headersComeBackAsTheyWereSent() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    UUID uuid = UUID.randomUUID();
    send(
        new RecordHeaders()
            .add("text", "é😀".getBytes(UTF_8))
            .add("long", ByteBuffer.allocate(8).putLong(256).array())
            .add("uuid", new UUIDSerializer().serialize(topic, uuid))
            .add("twice", "A".getBytes(UTF_8))
            .add("twice", "B".getBytes(UTF_8))
            .add("null", null)
            .add("empty", new byte[0])
            .add("bytes", new byte[] {0, (byte) 0xff}),
        null);
    ConsumerRecord<?, ?> record = receive(topic, 1).get(0);
    assertThat(idOf(KeyExtractors.header("text"), record)).isEqualTo("é😀");
    assertThat(idOf(KeyExtractors.header("long", HeaderType.LONG), record)).isEqualTo("256");
    assertThat(idOf(KeyExtractors.header("uuid", HeaderType.UUID), record))
        .isEqualTo(uuid.toString());
    assertThat(idOf(KeyExtractors.header("twice"), record)).isEqualTo("B");
    assertThat(idOf(KeyExtractors.header("twice", RepeatedHeader.FIRST), record)).isEqualTo("A");
    assertMissing(KeyExtractors.header("null"), record);
    assertMissing(KeyExtractors.header("empty"), record);
    assertThat(idOf(KeyExtractors.header("bytes"), record)).isEqualTo("bytes:00ff");
    assertMissing(KeyExtractors.json("/id"), record);
  }

  @Test
  void whatSpringsMappersWriteInEitherWayIsOneId() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    UUID uuid = UUID.randomUUID();
    for (boolean encoded : new boolean[] {true, false}) {
      JsonKafkaHeaderMapper mapper = new JsonKafkaHeaderMapper();
      mapper.setEncodeStrings(encoded);
      Headers headers = new RecordHeaders();
      mapper.fromHeaders(
          new MessageHeaders(
              Map.of("event-id", "a\"b", "raw-id", "a\"b".getBytes(UTF_8), "uuid", uuid, "n", 17L)),
          headers);
      send(headers, null);
    }
    List<ConsumerRecord<byte[], byte[]>> records = receive(topic, 2);
    assertThat(records.get(0).headers().lastHeader("event-id").value())
        .as("an older mapper quotes")
        .isNotEqualTo(records.get(1).headers().lastHeader("event-id").value());
    for (ConsumerRecord<?, ?> record : records) {
      assertThat(idOf(KeyExtractors.header("event-id"), record)).isEqualTo("a\"b");
      assertThat(idOf(KeyExtractors.header("raw-id"), record)).isEqualTo("a\"b");
      assertThat(idOf(KeyExtractors.header("uuid"), record)).isEqualTo(uuid.toString());
      assertThat(idOf(KeyExtractors.header("n", HeaderType.LONG), record)).isEqualTo("17");
    }
  }

  @Test
  void anOffsetOfATopicCreatedAnewIsAnotherRecord() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    RecordOrigins origins = origins("g");
    RecordKeys keys = RecordKeys.of(origins, KeyExtractors.offset());
    keys.check(List.of(topic));
    send(new RecordHeaders(), "v".getBytes(UTF_8));
    ConsumerRecord<?, ?> first = receive(topic, 1).get(0);
    RecordReading.Keyed before = keyed(keys, first);
    assertThat(keyed(keys, receive(topic, 1).get(0)).key())
        .as("delivered again")
        .isEqualTo(before.key());

    NewTopics.delete(admin, topic);
    NewTopics.create(admin, topic, Map.of());
    assertThat(origins.identities().refresh(List.of(topic))).containsExactly(topic);
    send(new RecordHeaders(), "v".getBytes(UTF_8));
    ConsumerRecord<?, ?> second = receive(topic, 1).get(0);
    assertThat(second.offset()).isEqualTo(first.offset());
    assertThat(keyed(keys, second).key()).isNotEqualTo(before.key());
  }

  @ParameterizedTest
  @ValueSource(strings = {"header:event-id", "offset"})
  void aSpringDeadLetterHasTheKeyOfItsOriginal(String source) throws Exception {
    NewTopics.create(admin, topic, Map.of());
    NewTopics.create(admin, topic + "-dlt", Map.of());
    KeyExtractor<ConsumerRecord<?, ?>> extractor = KeyExtractors.parse(source);
    send(new RecordHeaders().add("event-id", "A".getBytes(UTF_8)), "v".getBytes(UTF_8));
    ConsumerRecord<byte[], byte[]> original = receive(topic, 1).get(0);

    DefaultKafkaProducerFactory<byte[], byte[]> factory =
        new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", kafka.get().bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    new DeadLetterPublishingRecoverer(new KafkaTemplate<>(factory))
        .accept(
            original,
            new ListenerExecutionFailedException("failed", "billing", new IllegalStateException()));
    factory.destroy();
    ConsumerRecord<?, ?> letter = receive(topic + "-dlt", 1).get(0);

    IdempotencyKey expected = keyed(RecordKeys.of(origins("billing"), extractor), original).key();
    RecordOrigins replay = origins("replay");
    assertThat(keyed(RecordKeys.of(replay, extractor), letter).key())
        .as("not believed")
        .isNotEqualTo(expected);
    RecordOrigins believing =
        replay.believing(List.of(DeadLetterReplay.from(topic + "-dlt").of(topic)));
    assertThat(keyed(RecordKeys.of(believing, extractor), letter).key()).isEqualTo(expected);
  }

  @Test
  void aDeadLetterOfOurOwnComesFromExactlyItsOriginal() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    send(new RecordHeaders(), "v".getBytes(UTF_8));
    ConsumerRecord<byte[], byte[]> original = receive(topic, 1).get(0);
    assertThat(original.leaderEpoch()).as("brokers tell the epoch").isPresent();
    RecordOrigins origins = origins("billing");
    Headers headers = new RecordHeaders(original.headers().toArray());
    OriginalHeaders.append(headers, original, origins.identities().of(topic), "billing");
    RecordKeys keys = RecordKeys.of(origins, KeyExtractors.offset());

    String letters = topic + "-letters";
    NewTopics.create(admin, letters, Map.of());
    producer
        .send(new ProducerRecord<>(letters, 0, new byte[0], original.value(), headers))
        .get(10, TimeUnit.SECONDS);
    RecordKeys replaying =
        RecordKeys.of(
            origins("replay").believing(List.of(DeadLetterReplay.from(letters))),
            KeyExtractors.offset());
    RecordReading.Keyed letter = keyed(replaying, receive(letters, 1).get(0));
    assertThat(letter.key()).isEqualTo(keyed(keys, original).key());
    assertThat(letter.fingerprint()).isEqualTo(keyed(keys, original).fingerprint());
    assertThat(letter.origin().sameRecordAs(keyed(keys, original).origin())).isTrue();
  }
}
