// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.dedup.ResultCodec;
import io.dedup.ResultUnavailable;
import io.dedup.claim.StoredResult;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ResolvableType;

/** Answers kept as JSON. */
class JsonResultCodecTest {

  record Receipt(String id, BigDecimal amount, Instant at) {}

  sealed interface Answer permits Accepted, Refused {}

  record Accepted(int number) implements Answer {}

  record Refused(String why) implements Answer {}

  interface Shape {}

  record Circle(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  static class Open {
    public int number = 7;
  }

  static class Wider extends Open {}

  record Half(String kept, @JsonIgnore String lost) {}

  record Holder(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Shape shape) {}

  private static final Receipt RECEIPT =
      new Receipt("r-1", new BigDecimal("12.30"), Instant.parse("2026-01-01T00:00:00Z"));

  static Stream<Arguments> answers() {
    ResolvableType receipts = ResolvableType.forClassWithGenerics(List.class, Receipt.class);
    return Stream.of(
        Arguments.of(Receipt.class, RECEIPT),
        Arguments.of(receipts.getType(), List.of(RECEIPT)),
        Arguments.of(
            ResolvableType.forClassWithGenerics(Map.class, String.class, Receipt.class).getType(),
            Map.of("a", RECEIPT)),
        Arguments.of(
            ResolvableType.forClassWithGenerics(Set.class, String.class).getType(),
            Set.of("a", "b", "c", "zebra")),
        Arguments.of(
            ResolvableType.forClassWithGenerics(Optional.class, Receipt.class).getType(),
            Optional.of(RECEIPT)),
        Arguments.of(
            ResolvableType.forClassWithGenerics(Optional.class, Receipt.class).getType(),
            Optional.empty()),
        Arguments.of(Answer.class, new Accepted(7)),
        Arguments.of(Answer.class, new Refused("no")),
        Arguments.of(long.class, 9007199254740993L),
        Arguments.of(Integer.class, 7),
        Arguments.of(boolean.class, true),
        Arguments.of(int[].class, new int[] {1, 2}),
        Arguments.of(Thread.State.class, Thread.State.BLOCKED),
        Arguments.of(Instant.class, Instant.parse("2026-01-01T00:00:00.123456Z")));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerComesBackAsItWasAndWithItsType(Type declared, Object value) {
    JsonResultCodec<Object> codec = JsonResultCodec.builder(declared).build();

    Object again = codec.decode(codec.encode(value));

    assertThat(again).isEqualTo(value);
  }

  @Test
  void aTypeThatIsNamedIsKnownAgain() {
    JsonResultCodec<Shape> codec =
        JsonResultCodec.<Shape>builder(Shape.class)
            .allow(Circle.class)
            .allow("sq", Square.class)
            .build();

    assertThat(codec.decode(codec.encode(new Circle(3)))).isEqualTo(new Circle(3));
    assertThat(codec.encode(new Square(2)).contentType()).isEqualTo("application/json;type=sq");
    assertThat(codec.decode(codec.encode(new Square(2)))).isEqualTo(new Square(2));
  }

  @Test
  void aTypeThatIsNotAllowedIsNotKept() {
    JsonResultCodec<Open> codec = JsonResultCodec.<Open>builder(Open.class).build();

    assertThatThrownBy(() -> codec.encode(new Wider()))
        .hasMessageContaining("type of the result: was")
        .hasMessageContaining("Wider, must be one of [" + Open.class.getName() + "]");
  }

  /** The name of a class that is on the class path, and must not be loaded for all that. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.dedup.spring.result.JsonResultCodecTest$Forbidden",
        "java.lang.String",
        "no.such.Class"
      })
  void aStoredNameIsComparedAndNeverLoaded(String name) {
    JsonResultCodec<Receipt> codec = JsonResultCodec.<Receipt>builder(Receipt.class).build();
    StoredResult stored = stored("application/json;type=" + name, "{}");

    assertThatThrownBy(() -> codec.decode(stored))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "type of the result: was %s, must be one of [%s]", name, Receipt.class.getName());
  }

  @SuppressWarnings("unused") // To be loaded is all that it could do.
  static final class Forbidden {
    static {
      System.exit(7);
    }
  }

  @Test
  void aClassNameWithinTheAnswerIsNoOtherWayIn() {
    JsonResultCodec<Holder> codec = JsonResultCodec.<Holder>builder(Holder.class).build();
    String type = "application/json;type=" + Holder.class.getName();
    String inside = "{\"shape\":{\"@class\":\"" + Circle.class.getName() + "\",\"radius\":1}}";

    assertThatThrownBy(() -> codec.decode(stored(type, inside)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("radius");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/octet-stream", "application/vnd.dedup.result-reference"})
  void whatAnotherWroteIsNotRead(String contentType) {
    JsonResultCodec<Receipt> codec = JsonResultCodec.<Receipt>builder(Receipt.class).build();

    assertThatThrownBy(() -> codec.decode(stored(contentType, "{}")))
        .hasMessageContaining("contentType: was " + contentType);
  }

  @Test
  void whatWouldComeBackAsAnotherIsNotKept() {
    JsonResultCodec<Half> half = JsonResultCodec.<Half>builder(Half.class).build();
    assertThat(half.decode(half.encode(new Half("a", null)))).isEqualTo(new Half("a", null));

    ResolvableType any = ResolvableType.forClassWithGenerics(List.class, Object.class);
    JsonResultCodec<List<Object>> open =
        JsonResultCodec.<List<Object>>builder(any.getType()).build();
    assertThat(open.decode(open.encode(List.of("a", 1)))).isEqualTo(List.of("a", 1));
    assertThatThrownBy(() -> open.encode(List.of(RECEIPT)))
        .hasMessageContaining("gives back as another");
  }

  @ParameterizedTest
  @ValueSource(classes = {Object.class, Shape.class, Number.class, Stream.class})
  void aDeclaredTypeThatCouldBeAnythingIsRefused(Class<?> type) {
    assertThatThrownBy(() -> JsonResultCodec.builder(type).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("result type: was " + type.getName());
  }

  @Test
  void anAllowedTypeMustFitTheDeclaredOne() {
    assertThatThrownBy(() -> JsonResultCodec.builder(Shape.class).allow(Receipt.class).build())
        .hasMessageContaining("result types: was " + Receipt.class.getName());
  }

  @Test
  void aLongNameIsKeptAsItsDigest() {
    JsonResultCodec<Shape> codec =
        JsonResultCodec.<Shape>builder(Shape.class).allow("n".repeat(200), Circle.class).build();

    StoredResult stored = codec.encode(new Circle(1));

    assertThat(stored.contentType()).startsWith("application/json;type=sha256-");
    assertThat(codec.decode(stored)).isEqualTo(new Circle(1));
  }

  @Test
  void nullIsToldFromNothingKept() {
    AnswerCodec<String> codec = new AnswerCodec<>(ResultCodec.text());

    assertThat(codec.decode(codec.encode(null))).isNull();
    assertThat(codec.decode(codec.encode("a"))).isEqualTo("a");
    assertThatThrownBy(() -> codec.decode(null)).isInstanceOf(ResultUnavailable.class);
  }

  private static StoredResult stored(String contentType, String json) {
    return new StoredResult(contentType, json.getBytes(StandardCharsets.UTF_8));
  }
}
