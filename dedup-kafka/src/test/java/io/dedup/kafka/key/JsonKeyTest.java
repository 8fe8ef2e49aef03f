// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.idOf;
import static io.dedup.kafka.key.Sample.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dedup.key.KeyExtractor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonKeyTest {

  private static final KeyExtractor<ConsumerRecord<?, ?>> ID = KeyExtractors.json("/id");

  private static String at(String pointer, Object payload) {
    return idOf(KeyExtractors.json(pointer), value(payload));
  }

  @Test
  void bytesTextAndBuffersAreReadAlike() {
    byte[] bytes = "{\"id\":\"é😀\"}".getBytes(UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(("xx" + new String(bytes, UTF_8)).getBytes(UTF_8));
    buffer.position(2);
    assertThat(at("/id", bytes)).isEqualTo("é😀");
    assertThat(at("/id", new String(bytes, UTF_8))).isEqualTo("é😀");
    assertThat(at("/id", new Bytes(bytes))).isEqualTo("é😀");
    assertThat(at("/id", buffer)).isEqualTo("é😀");
    assertThat(at("/id", buffer.asReadOnlyBuffer())).isEqualTo("é😀");
    assertThat(buffer.position()).as("the handler still finds the buffer as it was").isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/foo/0;                bar",
        "/foo/1;                baz",
        "/;                     empty name",
        "/a~1b;                 slash",
        "/m~0n;                 tilde",
        "/e~01f;                tilde and one",
        "/c%d;                  percent",
        "/nested/list/1/id;     deep",
        "/nested/0;             named 0"
      })
  void pointersAreReadAsRfc6901Says(String pointer, String expected) {
    String document =
        """
        {"foo": ["bar", "baz"], "": "empty name", "a/b": "slash", "m~n": "tilde", "e~1f": "tilde and one", "e/f": "wrong", "c%d": "percent",
         "nested": {"0": "named 0", "list": [{"id": "no"}, {"id": "deep"}]}}
        """;
    assertThat(at(pointer, document)).isEqualTo(expected);
  }

  @Test
  void theEmptyPointerIsTheWholeDocument() {
    assertThat(at("", "\"abc\"")).isEqualTo("abc");
    assertThat(at("", " 17 ")).isEqualTo("number:17");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "#/id", "/a~2b", "/a~", "$.id"})
  void malformedPointersAreRefused(String pointer) {
    assertThatThrownBy(() -> KeyExtractors.json(pointer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + pointer + "'")
        .hasMessageContaining("RFC 6901");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"id\":null}",
        "{\"id\":\"\"}",
        "{\"Id\":\"a\"}",
        "[\"a\"]",
        "\"a\"",
        "null",
        "{\"x\":{\"id\":\"a\"}}"
      })
  void absentNullAndEmptyAreMissing(String document) {
    assertMissing(ID, value(document));
  }

  @Test
  void aTombstoneHasNoId() {
    assertMissing(ID, value(null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/list/2", "/list/-", "/list/01", "/list/a", "/list/99999999999"})
  void anElementThatIsNotThereIsMissing(String pointer) {
    assertMissing(KeyExtractors.json(pointer), value("{\"list\":[1,2]}"));
  }

  @Nested
  class Numbers {

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.0", "1e0", "0.1e1", "1.000", "10E-1"})
    void areOneIdHoweverTheyAreWritten(String lexeme) {
      assertThat(at("/id", "{\"id\":" + lexeme + "}")).isEqualTo("number:1");
    }

    @Test
    void beyondDoublePrecisionAreStillExact() {
      assertThat(at("/id", "{\"id\":9007199254740993}")).isEqualTo("number:9007199254740993");
      assertThat(at("/id", "{\"id\":9007199254740992}")).isEqualTo("number:9007199254740992");
    }

    @Test
    void haveOneZero() {
      assertThat(at("/id", "{\"id\":-0}")).isEqualTo("number:0");
      assertThat(at("/id", "{\"id\":-0.0e5}")).isEqualTo("number:0");
    }

    @Test
    void neverEqualText() {
      assertThat(at("/id", "{\"id\":\"1\"}")).isEqualTo("1");
      assertThat(at("/id", "{\"id\":\"number:1\"}")).isEqualTo("text:number:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "1e-999999999", "1e99999999999999999999"})
    void withAbsurdExponentsAreUnreadable(String lexeme) {
      assertUnreadable(ID, value("{\"id\":" + lexeme + "}"), "1000 digits");
    }

    @Test
    void withAbsurdlyManyDigitsAreUnreadable() {
      assertUnreadable(
          ID, value("{\"id\":" + "1".repeat(100_000) + "}"), "number longer than 1000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "+1", "01", ".5", "0x10"})
    void thatAreNoneInJsonAreUnreadable(String lexeme) {
      assertUnreadable(ID, value("{\"id\":" + lexeme + "}"), "not well-formed");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"id\":{\"a\":1}}; is an object",
        "{\"id\":[1]};       is an array",
        "{\"id\":{}};        is an object",
        "{\"id\":true};      is a boolean",
        "{\"id\":false};     is a boolean"
      })
  void whatIsNeitherTextNorNumberIsUnreadable(String document, String why) {
    assertUnreadable(ID, value(document), why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"id\":\"a\"",
        "{\"id\":\"a\",}",
        "{'id':'a'}",
        "{\"id\":\"a\"} {\"id\":\"b\"}",
        "{\"id\":\"a\"} x",
        "{\"id\":\"a\", \"rest\": broken}",
        "{\"id\":\"a\"/* comment */}",
        "plain text"
      })
  void whatIsNotOneWellFormedDocumentIsUnreadable(String document) {
    assertThat(ID.extract(value(document))).isInstanceOf(io.dedup.key.ExtractedId.Unreadable.class);
    assertThat(ID.extract(value(document.getBytes(UTF_8))))
        .isInstanceOf(io.dedup.key.ExtractedId.Unreadable.class);
  }

  @Test
  void theAnswerTellsThePlaceButQuotesNothing() {
    assertUnreadable(ID, value("{\"id\": secret}"), "line 1, column");
    assertThat(ID.extract(value("{\"id\": secret}")).toString()).doesNotContain("secret");
  }

  @Nested
  class MembersThatOccurTwice {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{\"id\":\"a\",\"id\":\"b\"}",
          "{\"id\":\"a\",\"id\":\"a\"}",
          "{\"id\":\"a\",\"x\":[1,{\"y\":2}],\"\\u0069d\":\"b\"}",
          "{\"id\":null,\"id\":\"b\"}",
          "{\"id\":{},\"id\":\"b\"}"
        })
    void onTheWayAreUnreadable(String document) {
      assertUnreadable(ID, value(document), "occurs twice");
    }

    @Test
    void onAHigherLevelAreUnreadableToo() {
      assertUnreadable(
          KeyExtractors.json("/order/id"),
          value("{\"order\":{\"id\":\"a\"},\"order\":{\"id\":\"b\"}}"),
          "occurs twice");
      assertUnreadable(
          KeyExtractors.json("/order/id"),
          value("{\"order\":17,\"order\":{\"id\":\"b\"}}"),
          "occurs twice");
    }

    @Test
    void farBehindTheValueAreStillFound() {
      String padding = "\"x\":[" + "0,".repeat(200_000) + "0]";
      assertUnreadable(ID, value("{\"id\":\"a\"," + padding + ",\"id\":\"b\"}"), "occurs twice");
    }

    @Test
    void elsewhereDoNotMatter() {
      assertThat(at("/id", "{\"x\":1,\"x\":2,\"id\":\"a\",\"y\":{\"id\":1,\"id\":2}}"))
          .isEqualTo("a");
    }
  }

  @Nested
  class Limits {

    @Test
    void aDocumentNestedTooDeepIsUnreadable() {
      String deep = "[".repeat(100_000) + "]".repeat(100_000);
      assertUnreadable(ID, value("{\"x\":" + deep + ",\"id\":\"a\"}"), "nested more than 500 deep");
    }

    @Test
    void aLongTextIsAnId() {
      String text = "x".repeat(1 << 20);
      assertThat(at("/id", "{\"id\":\"" + text + "\"}")).isEqualTo(text);
    }

    @Test
    void aHugeDocumentAroundTheIdIsNoTrouble() {
      String padding = "\"p\":\"" + "y".repeat(8 << 20) + "\"";
      assertThat(at("/id", "{" + padding + ",\"id\":\"a\"}")).isEqualTo("a");
    }

    @Test
    void anUnpairedSurrogateIsUnreadable() {
      assertUnreadable(ID, value("{\"id\":\"\\ud83d\"}"), "unpaired surrogate");
      assertThat(at("/id", "{\"id\":\"\\ud83d\\ude00\"}")).isEqualTo("😀");
    }

    @Test
    void aNulCharacterIsKept() {
      assertThat(at("/id", "{\"id\":\"a\\u0000b\"}")).isEqualTo("a\u0000b");
    }
  }

  @Nested
  class Objects {

    record Order(
        @JsonProperty("order_id") String id, long number, Customer customer, List<Integer> lines) {}

    record Customer(String name, Object extra) {}

    static class Bean {
      public String getId() {
        return "bean";
      }
    }

    static class Loop {
      public Loop getSelf() {
        return this;
      }
    }

    private final Order order =
        new Order("A-1", 9007199254740993L, new Customer("Ada", null), List.of(7));

    @Test
    void areReadByTheirProperties() {
      assertThat(at("/order_id", order)).isEqualTo("A-1");
      assertThat(at("/number", order)).isEqualTo("number:9007199254740993");
      assertThat(at("/customer/name", order)).isEqualTo("Ada");
      assertThat(at("/lines/0", order)).isEqualTo("number:7");
      assertThat(at("/id", new Bean())).isEqualTo("bean");
      assertThat(at("/a/b", Map.of("a", Map.of("b", "c")))).isEqualTo("c");
      assertMissing(KeyExtractors.json("/customer/extra"), value(order));
    }

    @Test
    void giveTheSameIdAsTheirJson() {
      assertThat(at("/number", order)).isEqualTo(at("/number", "{\"number\":9007199254740993.0}"));
    }

    @Test
    void ofJacksonThreeAreReadAsTrees() throws Exception {
      Object tree = new tools.jackson.databind.json.JsonMapper().readTree("{\"id\":{\"n\":1.0}}");
      assertThat(at("/id/n", tree)).isEqualTo("number:1");
    }

    @Test
    void ofJacksonTwoAreReadAsTrees() throws Exception {
      Object tree =
          new com.fasterxml.jackson.databind.ObjectMapper()
              .readTree("{\"id\":{\"n\":9007199254740993,\"t\":\"x\",\"z\":null}}");
      assertThat(at("/id/n", tree)).isEqualTo("number:9007199254740993");
      assertThat(at("/id/t", tree)).isEqualTo("x");
      assertMissing(KeyExtractors.json("/id/z"), value(tree));
    }

    @Test
    void ofJacksonTwoMayBePropertiesOfOthers() throws Exception {
      Object tree = new com.fasterxml.jackson.databind.ObjectMapper().readTree("{\"id\":\"in\"}");
      assertThat(at("/extra/id", new Customer("Ada", tree))).isEqualTo("in");
    }

    @Test
    void thatCannotBeWrittenAreUnreadable() {
      assertUnreadable(KeyExtractors.json("/self/id"), value(new Loop()), "Jackson cannot write");
    }
  }
}
