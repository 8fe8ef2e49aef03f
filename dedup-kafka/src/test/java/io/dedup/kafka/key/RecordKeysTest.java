// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Origin;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.KeyScope;
import io.dedup.kafka.topic.OriginalHeaders;
import io.dedup.kafka.topic.RecordOrigins;
import io.dedup.kafka.topic.TopicIdentities;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.key.ExtractedId;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyExtractor;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecordKeysTest {

  private static final KeyExtractor<ConsumerRecord<?, ?>> HEADER = KeyExtractors.header("event-id");

  /** A cluster whose topics have ids that say which generation of the topic they are. */
  private static final class Topics implements TopicIdentities {
    private int generation = 1;

    @Override
    public TopicIdentity of(String topic) {
      return new TopicIdentity("cluster", topic, topic + "-" + generation);
    }

    @Override
    public Set<String> refresh(Collection<String> topics) {
      return Set.of();
    }
  }

  private final Topics topics = new Topics();

  private RecordOrigins group(String group) {
    return RecordOrigins.of(group, topics);
  }

  private static RecordReading.Keyed keyed(RecordKeys keys, ConsumerRecord<?, ?> record) {
    RecordReading reading = keys.read(record);
    assertThat(reading).isInstanceOf(RecordReading.Keyed.class);
    return (RecordReading.Keyed) reading;
  }

  private static ConsumerRecord<Object, Object> event(String topic, long offset, String id) {
    ConsumerRecord<Object, Object> record = Sample.at(topic, 2, offset, 7, null, "value");
    record.headers().add("event-id", id.getBytes(UTF_8));
    return record;
  }

  @Test
  void aKeyIsTheIdWithinGroupAndTopic() {
    RecordReading.Keyed read =
        keyed(RecordKeys.of(group("billing"), HEADER), event("orders", 5, "A"));
    assertThat(read.key()).isEqualTo(IdempotencyKey.of("billing|orders", "A"));
    assertThat(read.fingerprint()).isEqualTo(Fingerprint.none());
    assertThat(read.origin()).isEqualTo(Origin.kafka("cluster", "orders-1", 2, 5, 7));
  }

  @Test
  void twoGroupsAndTwoTopicsNeverSuppressEachOther() {
    assertThat(
            List.of(
                keyed(RecordKeys.of(group("a"), HEADER), event("orders", 5, "A")).key(),
                keyed(RecordKeys.of(group("b"), HEADER), event("orders", 5, "A")).key(),
                keyed(RecordKeys.of(group("a"), HEADER), event("invoices", 5, "A")).key(),
                keyed(RecordKeys.of(group("a|orders"), HEADER), event("x", 5, "A")).key()))
        .doesNotHaveDuplicates();
  }

  @Test
  void listenersOfOneGroupMayHaveScopesOfTheirOwn() {
    RecordKeys one = RecordKeys.of(group("g"), HEADER).scope(KeyScope.groupTopicAnd("l1"));
    RecordKeys two = RecordKeys.of(group("g"), HEADER).scope(KeyScope.groupTopicAnd("l2"));
    assertThat(keyed(one, event("orders", 5, "A")).key())
        .isNotEqualTo(keyed(two, event("orders", 5, "A")).key());
  }

  @Test
  void aScopeMayBeSetByHand() {
    RecordKeys keys = RecordKeys.of(group("g"), HEADER).scope(KeyScope.fixed("payments"));
    assertThat(keyed(keys, event("orders", 5, "A")).key())
        .isEqualTo(IdempotencyKey.of("payments", "A"));
  }

  @Test
  void aRecordWithoutAnIdNeverHasAKey() {
    RecordKeys keys = RecordKeys.of(group("g"), HEADER);
    for (long offset = 0; offset < 3; offset++) {
      assertThat(keys.read(Sample.at("orders", 0, offset, 7, null, "value " + offset)))
          .isEqualTo(new RecordReading.Unkeyed("header:event-id"));
    }
  }

  @Test
  void aReadingAnswersByWhatItIs() {
    RecordKeys keys = RecordKeys.of(group("g"), KeyExtractors.json("/id"));
    assertThat(
            List.of("{\"id\":\"A\"}", "{}", "{").stream()
                .map(
                    value ->
                        keys.read(Sample.value(value))
                            .<String>fold(k -> k.key().id(), u -> "none", u -> "broken"))
                .toList())
        .containsExactly("A", "none", "broken");
  }

  @Nested
  class Fingerprinted {

    @Test
    void aRecordHasTheFingerprintThatWasChosen() {
      RecordKeys keys = RecordKeys.of(group("g"), HEADER).fingerprint(Fingerprints.raw());
      assertThat(keyed(keys, event("orders", 5, "A")).fingerprint())
          .isEqualTo(Fingerprint.raw("value".getBytes(UTF_8)));
    }

    @Test
    void aRecordWhoseFingerprintCannotBeTakenIsUnreadable() {
      RecordKeys keys = RecordKeys.of(group("g"), HEADER).fingerprint(Fingerprints.json());
      assertThat(keys.read(event("orders", 5, "A"))).isInstanceOf(RecordReading.Unreadable.class);
    }
  }

  @Nested
  class ByOffset {

    private final RecordKeys keys = RecordKeys.of(group("g"), KeyExtractors.offset());

    @Test
    void aRecordDeliveredAgainHasTheSameKey() {
      assertThat(keyed(keys, event("orders", 5, "A")).key())
          .isEqualTo(keyed(keys, event("orders", 5, "A")).key())
          .isNotEqualTo(keyed(keys, event("orders", 6, "A")).key());
    }

    @Test
    void anotherPartitionIsAnotherRecord() {
      assertThat(keyed(keys, Sample.at("orders", 1, 5, 7, null, "v")).key())
          .isNotEqualTo(keyed(keys, Sample.at("orders", 2, 5, 7, null, "v")).key());
    }

    @Test
    void aTopicCreatedAnewHasNewKeysAtTheSameOffsets() {
      IdempotencyKey before = keyed(keys, event("orders", 5, "A")).key();
      topics.generation++;
      assertThat(keyed(keys, event("orders", 5, "A")).key()).isNotEqualTo(before);
    }

    @Test
    void anotherLeaderEpochIsAnotherRecordEvenIfItSaysTheSame() {
      RecordKeys raw = keys.fingerprint(Fingerprints.raw());
      RecordReading.Keyed before = keyed(raw, Sample.at("orders", 2, 5, 7, null, "+1"));
      RecordReading.Keyed after = keyed(raw, Sample.at("orders", 2, 5, 8, null, "+1"));
      assertThat(before.key()).isEqualTo(after.key());
      assertThat(before.fingerprint()).isEqualTo(new Fingerprint(Fingerprint.LEADER_EPOCH, 7));
      assertThat(before.fingerprint().conflictsWith(after.fingerprint())).isTrue();
    }

    @Test
    void anUnknownLeaderEpochConflictsWithNone() {
      RecordReading.Keyed unknown = keyed(keys, Sample.at("orders", 2, 5, -1, null, "v"));
      assertThat(unknown.fingerprint()).isEqualTo(Fingerprint.none());
    }

    @Test
    void onlyRecordsThatAreKnownByTheirOffsetHaveTheLeaderEpochForAFingerprint() {
      RecordKeys mixed =
          RecordKeys.of(group("g"), KeyExtractors.firstOf(List.of(HEADER, KeyExtractors.offset())));
      assertThat(keyed(mixed, event("orders", 5, "A")).fingerprint()).isEqualTo(Fingerprint.none());
      assertThat(keyed(mixed, Sample.value("v")).fingerprint().algorithm())
          .isEqualTo(Fingerprint.LEADER_EPOCH);
    }

    @Test
    void aCopyHasTheKeyOfItsOriginal() {
      ConsumerRecord<Object, Object> original = event("orders", 5, "A");
      ConsumerRecord<Object, Object> copy = Sample.at("orders-dlt", 0, 99, 3, null, "value");
      OriginalHeaders.append(copy.headers(), original, topics.of("orders"), "g");
      RecordKeys replaying =
          RecordKeys.of(
              group("replay").believing(List.of(DeadLetterReplay.from("orders-dlt"))),
              KeyExtractors.offset());
      RecordReading.Keyed read = keyed(replaying, copy);
      assertThat(read)
          .isEqualTo(
              new RecordReading.Keyed(
                  keyed(keys, original).key(), keyed(keys, original).fingerprint(), read.source()));
      assertThat(read.origin().sameRecordAs(keyed(keys, original).origin())).isTrue();
      assertThat(read.source().copy()).isTrue();
    }

    @Test
    void aCopyThatTellsNoOffsetIsUnreadable() {
      ConsumerRecord<Object, Object> copy = Sample.at("orders-dlt", 0, 99, 3, null, "value");
      copy.headers().add("kafka_dlt-original-topic", "orders".getBytes(UTF_8));
      RecordKeys replaying =
          RecordKeys.of(
              group("g").believing(List.of(DeadLetterReplay.from("orders-dlt"))),
              KeyExtractors.offset());
      assertThat(replaying.read(copy))
          .isEqualTo(
              new RecordReading.Unreadable("offset", "the record's place in the log is not known"));
    }

    @Test
    void topicsWhoseIdIsUnknownAreRefusedAtStart() {
      RecordKeys blind =
          RecordKeys.of(
              RecordOrigins.of("g", TopicIdentities.byName()),
              KeyExtractors.parse("header:event-id+offset"));
      assertThatThrownBy(() -> blind.check(List.of("orders")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "key of topic orders: was 'header:event-id+offset', must not use offsets");
      assertThatCode(
              () ->
                  RecordKeys.of(RecordOrigins.of("g", TopicIdentities.byName()), HEADER)
                      .check(List.of("orders")))
          .doesNotThrowAnyException();
      assertThatCode(() -> keys.check(List.of("orders"))).doesNotThrowAnyException();
    }

    @Test
    void withoutAPlaceARecordIsUnreadable() {
      Sample.assertUnreadable(KeyExtractors.offset(), Sample.value("v"), "place in the log");
    }

    @Test
    void aUserIdThatLooksLikeAPlaceIsNone() {
      RecordReading.Keyed byHeader =
          keyed(
              RecordKeys.of(group("g"), HEADER), event("orders", 5, "offset:cluster|orders-1|2|5"));
      assertThat(byHeader.key()).isNotEqualTo(keyed(keys, event("orders", 5, "A")).key());
    }
  }

  @Nested
  class UsersOwnExtractor {

    @Test
    void isAskedLikeAnyOther() {
      RecordKeys keys = RecordKeys.of(group("g"), r -> new ExtractedId.Found("own"));
      assertThat(keyed(keys, Sample.value("v")).key().id()).isEqualTo("own");
    }

    @Test
    void thatThrowsMakesTheRecordUnreadable() {
      RecordKeys keys =
          RecordKeys.of(
              group("g"),
              r -> {
                throw new IllegalStateException("secret");
              });
      assertThat(keys.read(Sample.value("v")))
          .isInstanceOfSatisfying(
              RecordReading.Unreadable.class,
              answer ->
                  assertThat(answer.why()).isEqualTo("threw java.lang.IllegalStateException"));
    }

    @Test
    void thatAnswersWithMalformedTextMakesTheRecordUnreadable() {
      RecordKeys keys = RecordKeys.of(group("g"), r -> new ExtractedId.Found("\ud800"));
      assertThat(keys.read(Sample.value("v"))).isInstanceOf(RecordReading.Unreadable.class);
    }
  }
}
