// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.headers;
import static io.dedup.kafka.key.Sample.idOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.key.KeyExtractor;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderKeyTest {

  private static final KeyExtractor<ConsumerRecord<?, ?>> EVENT_ID =
      KeyExtractors.header("event-id");

  @Test
  void textIsTheIdCharacterByCharacter() {
    assertThat(idOf(EVENT_ID, headers("event-id", " Ab|c:/é😀 "))).isEqualTo(" Ab|c:/é😀 ");
  }

  @Test
  void theNameIsCaseSensitive() {
    assertMissing(EVENT_ID, headers("Event-Id", "a"));
  }

  @Test
  void anAbsentANullAndAnEmptyHeaderAreMissing() {
    assertMissing(EVENT_ID, headers());
    assertMissing(EVENT_ID, headers("event-id", null));
    assertMissing(EVENT_ID, headers("event-id", ""));
  }

  @Test
  void theTextNullIsAnIdLikeAnyOther() {
    assertThat(idOf(EVENT_ID, headers("event-id", "null"))).isEqualTo("null");
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\t\n", "\u2003"})
  void blankIsAnIdByDefaultAndMissingByOption(String blank) {
    assertThat(idOf(EVENT_ID, headers("event-id", blank))).isEqualTo(blank);
    assertMissing(KeyExtractors.nonBlank(EVENT_ID), headers("event-id", blank));
  }

  @Test
  void theBlankOptionLeavesOtherIdsAlone() {
    assertThat(idOf(KeyExtractors.nonBlank(EVENT_ID), headers("event-id", " a "))).isEqualTo(" a ");
  }

  @Test
  void composedAndDecomposedLettersAreTwoIds() {
    assertThat(idOf(EVENT_ID, headers("event-id", "\u00e9")))
        .isNotEqualTo(idOf(EVENT_ID, headers("event-id", "e\u0301")));
    assertThat(idOf(EVENT_ID, headers("event-id", "\u00c5")))
        .isNotEqualTo(idOf(EVENT_ID, headers("event-id", "\u212b")));
  }

  @Test
  void idsThatDifferInPunctuationSpaceOrEmojiAreDifferent() {
    assertThat(
            java.util.stream.Stream.of(
                    "1234:56",
                    "12:3456",
                    "123456",
                    "1234/56",
                    "1234 56",
                    "123456 ",
                    "1234😀56",
                    "1234😁56")
                .map(id -> idOf(EVENT_ID, headers("event-id", id))))
        .doesNotHaveDuplicates();
  }

  @Test
  void aNulCharacterStaysInTheId() {
    assertThat(idOf(EVENT_ID, headers("event-id", "a\u0000b"))).isEqualTo("a\u0000b");
    assertThat(idOf(EVENT_ID, headers("event-id", new byte[8]))).isEqualTo("\u0000".repeat(8));
  }

  @Test
  void aMegabyteOfTextIsAnId() {
    assertThat(idOf(EVENT_ID, headers("event-id", "x".repeat(1 << 20)))).hasSize(1 << 20);
  }

  @Nested
  class BytesThatAreNotText {

    @Test
    void keepTheirValueByteByByte() {
      byte[] bytes = {(byte) 0xff, 0, (byte) 0x80};
      assertThat(idOf(EVENT_ID, headers("event-id", bytes))).isEqualTo("bytes:ff0080");
    }

    @Test
    void neverEqualTextThatLooksLikeThem() {
      assertThat(idOf(EVENT_ID, headers("event-id", "bytes:ff0080")))
          .isEqualTo("text:bytes:ff0080");
      assertThat(idOf(EVENT_ID, headers("event-id", "text:bytes:ff0080")))
          .isEqualTo("text:text:bytes:ff0080");
    }

    @Test
    void doNotBecomeReplacementCharacters() {
      assertThat(idOf(EVENT_ID, headers("event-id", new byte[] {(byte) 0xfe})))
          .isNotEqualTo(idOf(EVENT_ID, headers("event-id", new byte[] {(byte) 0xff})));
    }
  }

  @Nested
  class Repeated {

    private final ConsumerRecord<?, ?> twice = headers("event-id", "A", "event-id", "B");

    @Test
    void theLastCountsByDefault() {
      assertThat(idOf(EVENT_ID, twice)).isEqualTo("B");
      assertThat(idOf(EVENT_ID, headers("event-id", "B"))).isEqualTo("B");
    }

    @Test
    void theFirstCountsIfAskedFor() {
      assertThat(idOf(KeyExtractors.header("event-id", RepeatedHeader.FIRST), twice))
          .isEqualTo("A");
    }

    @Test
    void differentValuesAreUnreadableIfAskedFor() {
      KeyExtractor<ConsumerRecord<?, ?>> strict =
          KeyExtractors.header("event-id", RepeatedHeader.FAIL);
      assertUnreadable(strict, twice, "different values");
      assertUnreadable(strict, headers("event-id", "A", "event-id", null), "different values");
      assertThat(idOf(strict, headers("event-id", "A"))).isEqualTo("A");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LAST", "FIRST", "FAIL"})
    void copiesThatRetryHopsAppendDoNotChangeTheId(RepeatedHeader repeated) {
      ConsumerRecord<?, ?> hop =
          headers("event-id", "A", "other", "x", "event-id", "A", "event-id", "A");
      assertThat(idOf(KeyExtractors.header("event-id", repeated), hop)).isEqualTo("A");
    }

    @Test
    void anEmptyLastHeaderIsMissingEvenIfAnotherIsThere() {
      assertMissing(EVENT_ID, headers("event-id", "A", "event-id", ""));
      assertMissing(EVENT_ID, headers("event-id", "A", "event-id", null));
    }
  }

  @Nested
  class Typed {

    @ParameterizedTest
    @CsvSource({"0", "1", "256", "-1", "9223372036854775807", "-9223372036854775808"})
    void eightBytesAreALong(long value) {
      byte[] bytes = ByteBuffer.allocate(8).putLong(value).array();
      assertThat(idOf(KeyExtractors.header("n", HeaderType.LONG), headers("n", bytes)))
          .isEqualTo(Long.toString(value));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "256", "-1", "2147483647", "-2147483648"})
    void fourBytesAreAnInt(int value) {
      byte[] bytes = ByteBuffer.allocate(4).putInt(value).array();
      assertThat(idOf(KeyExtractors.header("n", HeaderType.INT), headers("n", bytes)))
          .isEqualTo(Integer.toString(value));
    }

    @Test
    void aNumberOfAnotherLengthIsUnreadable() {
      assertUnreadable(
          KeyExtractors.header("n", HeaderType.LONG),
          headers("n", new byte[4]),
          "has 4 bytes, must have 8");
      assertUnreadable(
          KeyExtractors.header("n", HeaderType.INT),
          headers("n", new byte[8]),
          "has 8 bytes, must have 4");
    }

    @Test
    void aUuidIsTheSameInBytesInTextAndInCapitals() {
      UUID uuid = UUID.fromString("0af7651c-1ddb-4bc4-8a71-c0ffee000000");
      byte[] bytes =
          ByteBuffer.allocate(16)
              .putLong(uuid.getMostSignificantBits())
              .putLong(uuid.getLeastSignificantBits())
              .array();
      KeyExtractor<ConsumerRecord<?, ?>> extractor = KeyExtractors.header("id", HeaderType.UUID);
      assertThat(idOf(extractor, headers("id", bytes))).isEqualTo(uuid.toString());
      assertThat(idOf(extractor, headers("id", uuid.toString()))).isEqualTo(uuid.toString());
      assertThat(idOf(extractor, headers("id", uuid.toString().toUpperCase(java.util.Locale.ROOT))))
          .isEqualTo(uuid.toString());
      assertUnreadable(extractor, headers("id", "1-1-1-1-1"), "UUID");
    }

    @Test
    void textThatIsNotUtf8IsUnreadable() {
      assertUnreadable(
          KeyExtractors.header("id", HeaderType.TEXT),
          headers("id", new byte[] {(byte) 0xff}),
          "UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TEXT", "LONG", "INT", "UUID"})
    void emptyIsMissing(HeaderType type) {
      assertMissing(KeyExtractors.header("id", type), headers("id", ""));
    }
  }

  @Nested
  class MappedBySpring {

    private static final String TYPES = "spring_json_header_types";

    @Test
    void quotedTextThatIsNotedAsTextEqualsPlainText() {
      ConsumerRecord<?, ?> older =
          headers("event-id", "\"abc\"", TYPES, "{\"event-id\":\"java.lang.String\"}");
      assertThat(idOf(EVENT_ID, older)).isEqualTo("abc");
      assertThat(idOf(EVENT_ID, headers("event-id", "abc"))).isEqualTo("abc");
    }

    @Test
    void quotedTextThatIsNotNotedStaysAsItIs() {
      assertThat(idOf(EVENT_ID, headers("event-id", "\"abc\""))).isEqualTo("\"abc\"");
      assertThat(
              idOf(
                  EVENT_ID,
                  headers("event-id", "\"abc\"", TYPES, "{\"other\":\"java.lang.String\"}")))
          .isEqualTo("\"abc\"");
    }

    @Test
    void plainTextThatIsNotedAsTextStaysAsItIs() {
      assertThat(
              idOf(
                  EVENT_ID,
                  headers("event-id", "abc", TYPES, "{\"event-id\":\"java.lang.String\"}")))
          .isEqualTo("abc");
    }

    @Test
    void escapesWithinTheQuotesAreUndone() {
      assertThat(
              idOf(
                  EVENT_ID,
                  headers(
                      "event-id",
                      "\"a\\\"\\u00e9\"",
                      TYPES,
                      "{\"event-id\":\"java.lang.String\"}")))
          .isEqualTo("a\"é");
    }

    @Test
    void whatIsNoQuotedTextAfterAllStaysAsItIs() {
      assertThat(
              idOf(
                  EVENT_ID,
                  headers("event-id", "\"abc", TYPES, "{\"event-id\":\"java.lang.String\"}")))
          .isEqualTo("\"abc");
    }

    @Test
    void emptyQuotesAreMissing() {
      assertMissing(
          EVENT_ID, headers("event-id", "\"\"", TYPES, "{\"event-id\":\"java.lang.String\"}"));
    }

    @Test
    void aBrokenNoteIsPassedOver() {
      assertThat(idOf(EVENT_ID, headers("event-id", "\"abc\"", TYPES, "{"))).isEqualTo("\"abc\"");
      assertThat(idOf(EVENT_ID, headers("event-id", "abc", TYPES, null))).isEqualTo("abc");
    }

    @Test
    void aUuidObjectEqualsItsText() {
      String uuid = "0af7651c-1ddb-4bc4-8a71-c0ffee000000";
      ConsumerRecord<?, ?> mapped =
          headers("event-id", '"' + uuid + '"', TYPES, "{\"event-id\":\"java.util.UUID\"}");
      assertThat(idOf(EVENT_ID, mapped)).isEqualTo(uuid);
      assertThat(idOf(KeyExtractors.header("event-id", HeaderType.UUID), mapped)).isEqualTo(uuid);
    }

    @Test
    void aNumberThatWasMappedEqualsTheBinaryNumber() {
      ConsumerRecord<?, ?> mapped = headers("n", "12345678", TYPES, "{\"n\":\"java.lang.Long\"}");
      assertThat(idOf(KeyExtractors.header("n", HeaderType.LONG), mapped)).isEqualTo("12345678");
      assertUnreadable(
          KeyExtractors.header("n", HeaderType.INT),
          headers("n", "12345678901", TYPES, "{\"n\":\"java.lang.Long\"}"),
          "number of this type");
    }

    @Test
    void theNoteMayNameHeadersThatNeedEscapesInAPointer() {
      assertThat(
              idOf(
                  KeyExtractors.header("a/b~c"),
                  headers("a/b~c", "\"x\"", TYPES, "{\"a/b~c\":\"java.lang.String\"}")))
          .isEqualTo("x");
    }
  }

  @Test
  void aHeaderWithoutANameIsRefused() {
    assertThatThrownBy(() -> KeyExtractors.header(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("header name: was empty");
  }
}
