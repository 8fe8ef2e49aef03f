// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Origin;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordOriginsTest {

  private static final TopicIdentities TOPICS =
      new TopicIdentities() {
        @Override
        public TopicIdentity of(String topic) {
          return new TopicIdentity("cluster", topic, topic + "-id");
        }

        @Override
        public Set<String> refresh(Collection<String> topics) {
          return Set.of();
        }
      };

  private static final RecordOrigins PLAIN = RecordOrigins.of("billing", TOPICS);

  private static ConsumerRecord<String, String> record(String topic, int partition, long offset) {
    return new ConsumerRecord<>(
        topic,
        partition,
        offset,
        1_700_000_000_000L,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        "v",
        new RecordHeaders(),
        Optional.of(3));
  }

  private static ConsumerRecord<String, String> copy(
      String prefix, String topic, String original, int partition, long offset) {
    ConsumerRecord<String, String> copy = record(topic, 0, 99);
    copy.headers().add(prefix + "topic", original.getBytes(UTF_8));
    copy.headers().add(prefix + "partition", ByteBuffer.allocate(4).putInt(partition).array());
    copy.headers().add(prefix + "offset", ByteBuffer.allocate(8).putLong(offset).array());
    return copy;
  }

  private static RecordOrigins believing(DeadLetterReplay... replays) {
    return PLAIN.believing(List.of(replays));
  }

  @Test
  void aRecordComesFromWhereItWasRead() {
    RecordSource source = PLAIN.of(record("orders", 4, 17));
    assertThat(source.group()).isEqualTo("billing");
    assertThat(source.topic()).isEqualTo("orders");
    assertThat(source.copy()).isFalse();
    assertThat(source.origin()).isEqualTo(Origin.kafka("cluster", "orders-id", 4, 17, 3));
  }

  @Test
  void withoutATopicIdTheNameStandsInForIt() {
    RecordOrigins origins = RecordOrigins.of("billing", TopicIdentities.byName());
    assertThat(origins.of(record("orders", 4, 17)).origin())
        .isEqualTo(Origin.kafka("", "orders", 4, 17, 3));
  }

  @Test
  void anEmptyGroupIsRefused() {
    assertThatThrownBy(() -> RecordOrigins.of("", TOPICS)).hasMessageContaining("group: was empty");
  }

  @Test
  void headersThatAreNotBelievedChangeNothing() {
    ConsumerRecord<?, ?> forged = copy("kafka_dlt-original-", "orders", "payments", 1, 2);
    forged.headers().add("kafka_dlt-original-consumer-group", "other".getBytes(UTF_8));
    assertThat(PLAIN.of(forged).topic()).isEqualTo("orders");
    assertThat(believing(DeadLetterReplay.from("orders-dlt")).of(forged).topic())
        .isEqualTo("orders");
    assertThat(PLAIN.of(forged).group()).isEqualTo("billing");
  }

  @ParameterizedTest
  @CsvSource({"kafka_original-", "kafka_dlt-original-"})
  void aCopyComesFromItsOriginal(String prefix) {
    ConsumerRecord<?, ?> copy = copy(prefix, "orders-retry-0", "orders", 4, 17);
    RecordSource source = believing(DeadLetterReplay.from("orders-retry-0")).of(copy);
    assertThat(source.topic()).isEqualTo("orders");
    assertThat(source.copy()).isTrue();
    // The customary headers do not tell the epoch.
    assertThat(source.origin()).isEqualTo(Origin.kafka("cluster", "orders-id", 4, 17, -1));
  }

  @Nested
  class TheGroup {

    private final ConsumerRecord<?, ?> copy =
        copy("kafka_original-", "orders-retry-0", "orders", 4, 17);

    @Test
    void isThatOfTheHeader() {
      copy.headers().add("kafka_dlt-original-consumer-group", "shipping".getBytes(UTF_8));
      assertThat(believing(DeadLetterReplay.from("orders-retry-0")).of(copy).group())
          .isEqualTo("shipping");
    }

    @Test
    void isTheOneThatReadsIfNoHeaderTells() {
      assertThat(believing(DeadLetterReplay.from("orders-retry-0")).of(copy).group())
          .isEqualTo("billing");
    }

    @Test
    void isTheConfiguredOneWhateverTheHeaderSays() {
      copy.headers().add("kafka_dlt-original-consumer-group", "forged".getBytes(UTF_8));
      assertThat(
              believing(DeadLetterReplay.from("orders-retry-0").forGroup("main")).of(copy).group())
          .isEqualTo("main");
    }

    @Test
    void thatIsEmptyIsUnreadable() {
      copy.headers().add("kafka_dlt-original-consumer-group", new byte[0]);
      assertThatThrownBy(() -> believing(DeadLetterReplay.from("orders-retry-0")).of(copy))
          .isInstanceOf(UnreadableRecordException.class);
    }
  }

  @Test
  void theFirstOfSeveralHopsIsTheOriginal() {
    ConsumerRecord<String, String> copy = copy("kafka_dlt-original-", "dlt-2", "orders", 4, 17);
    OriginalHeaders.append(copy.headers(), record("dlt-1", 1, 1), TOPICS.of("dlt-1"), "billing");
    RecordSource source = believing(DeadLetterReplay.from("dlt-2")).of(copy);
    assertThat(source.topic()).isEqualTo("orders");
    assertThat(source.origin()).isEqualTo(Origin.kafka("cluster", "orders-id", 4, 17, -1));
  }

  @Test
  void aRetryCopyOfADeadLetterComesFromTheDeadLettersOriginal() {
    ConsumerRecord<String, String> copy =
        copy("kafka_original-", "orders-dlt-retry-0", "orders-dlt", 0, 1);
    ConsumerRecord<String, String> letter =
        copy("kafka_dlt-original-", "orders-dlt", "orders", 4, 17);
    letter.headers().forEach(copy.headers()::add);
    RecordOrigins origins =
        believing(DeadLetterReplay.from("orders-dlt"), DeadLetterReplay.from("orders-dlt-retry-0"));
    assertThat(origins.of(copy).origin())
        .isEqualTo(Origin.kafka("cluster", "orders-id", 4, 17, -1));
    // Where only the retry topic is believed, the dead letter is the original.
    assertThat(believing(DeadLetterReplay.from("orders-dlt-retry-0")).of(copy).topic())
        .isEqualTo("orders-dlt");
  }

  @Test
  void aRecordSentStraightToATopicOfCopiesIsItsOwnOriginal() {
    RecordSource source =
        believing(DeadLetterReplay.from("orders-dlt")).of(record("orders-dlt", 0, 5));
    assertThat(source.topic()).isEqualTo("orders-dlt");
    assertThat(source.copy()).isFalse();
  }

  @Test
  void onlyTheNamedOriginalsAreBelieved() {
    RecordOrigins origins = believing(DeadLetterReplay.from("orders-dlt").of("orders"));
    assertThat(origins.of(copy("kafka_dlt-original-", "orders-dlt", "orders", 4, 17)).topic())
        .isEqualTo("orders");
    assertThatThrownBy(
            () -> origins.of(copy("kafka_dlt-original-", "orders-dlt", "payments", 4, 17)))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("none of [orders]");
  }

  @Test
  void aCopyThatDoesNotTellItsOffsetHasTheScopeOfItsOriginalAndNoOrigin() {
    ConsumerRecord<?, ?> copy = copy("kafka_dlt-original-", "orders-dlt", "orders", 4, 17);
    copy.headers().remove("kafka_dlt-original-offset");
    RecordSource source = believing(DeadLetterReplay.from("orders-dlt")).of(copy);
    assertThat(source.topic()).isEqualTo("orders");
    assertThat(source.origin()).isEqualTo(Origin.none());
  }

  @ParameterizedTest
  @CsvSource({
    "kafka_dlt-original-topic, 6f2f72",
    "kafka_dlt-original-topic, ff",
    "kafka_dlt-original-topic, ''",
    "kafka_dlt-original-partition, 0001",
    "kafka_dlt-original-partition, ffffffff",
    "kafka_dlt-original-partition, 01000000",
    "kafka_dlt-original-offset, 00000001",
    "kafka_dlt-original-offset, ffffffffffffffff",
    "dedup_original-position, 6f72646572732f342f31372f",
    "dedup_original-position, 6f72646572732f342f31372f782f69"
  })
  void brokenHeadersThatAreBelievedMakeTheRecordUnreadable(String name, String hex) {
    ConsumerRecord<?, ?> copy = copy("kafka_dlt-original-", "orders-dlt", "orders", 4, 17);
    copy.headers().remove(name).add(name, java.util.HexFormat.of().parseHex(hex));
    assertThatThrownBy(() -> believing(DeadLetterReplay.from("orders-dlt")).of(copy))
        .isInstanceOf(UnreadableRecordException.class);
  }

  @Nested
  class OurOwnDeadLetters {

    private final ConsumerRecord<String, String> original = record("orders", 4, 17);

    private ConsumerRecord<String, String> letter(TopicIdentity identity) {
      ConsumerRecord<String, String> letter = record("orders-dlt", 0, 99);
      OriginalHeaders.append(letter.headers(), original, identity, "billing");
      return letter;
    }

    @Test
    void comeFromExactlyTheSameRecord() {
      RecordSource source =
          believing(DeadLetterReplay.from("orders-dlt")).of(letter(TOPICS.of("orders")));
      assertThat(source.origin()).isEqualTo(PLAIN.of(original).origin());
      assertThat(source.origin().sameRecordAs(PLAIN.of(original).origin())).isTrue();
    }

    @Test
    void areNotTakenForRecordsOfATopicCreatedAnew() {
      RecordSource source =
          believing(DeadLetterReplay.from("orders-dlt"))
              .of(letter(new TopicIdentity("cluster", "orders", "older-id")));
      assertThat(source.origin()).isEqualTo(Origin.kafka("cluster", "older-id", 4, 17, 3));
    }

    @Test
    void mayComeFromATopicWithoutAnId() {
      RecordSource source =
          believing(DeadLetterReplay.from("orders-dlt")).of(letter(TopicIdentity.byName("orders")));
      assertThat(source.origin()).isEqualTo(Origin.kafka("cluster", "orders-id", 4, 17, 3));
    }

    @Test
    void carryTheCustomaryHeaders() {
      var headers = letter(TOPICS.of("orders")).headers();
      assertThat(new String(headers.lastHeader("kafka_dlt-original-topic").value(), UTF_8))
          .isEqualTo("orders");
      assertThat(
              ByteBuffer.wrap(headers.lastHeader("kafka_dlt-original-partition").value()).getInt())
          .isEqualTo(4);
      assertThat(ByteBuffer.wrap(headers.lastHeader("kafka_dlt-original-offset").value()).getLong())
          .isEqualTo(17);
      assertThat(
              ByteBuffer.wrap(headers.lastHeader("kafka_dlt-original-timestamp").value()).getLong())
          .isEqualTo(original.timestamp());
      assertThat(new String(headers.lastHeader("kafka_dlt-original-timestamp-type").value(), UTF_8))
          .isEqualTo("CreateTime");
      assertThat(new String(headers.lastHeader("kafka_dlt-original-consumer-group").value(), UTF_8))
          .isEqualTo("billing");
    }
  }

  @Test
  void badConfigurationIsRefused() {
    assertThatThrownBy(() -> DeadLetterReplay.from("a b")).hasMessageContaining("topic: was 'a b'");
    assertThatThrownBy(() -> DeadLetterReplay.from("dlt").of("dlt"))
        .hasMessageContaining("originals");
    assertThatThrownBy(() -> DeadLetterReplay.from("dlt").forGroup(""))
        .hasMessageContaining("group: was empty");
    assertThatThrownBy(() -> believing(DeadLetterReplay.from("dlt"), DeadLetterReplay.from("dlt")))
        .hasMessageContaining("'dlt' twice");
  }
}
