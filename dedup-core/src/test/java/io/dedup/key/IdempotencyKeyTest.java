// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

  @Test
  void nothingIsNoKey() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdempotencyKey.of("", "17"))
        .withMessage("scope: was empty, must have at least one character");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdempotencyKey.of("orders", ""))
        .withMessage("id: was empty, must have at least one character");
    assertThatNullPointerException()
        .isThrownBy(() -> IdempotencyKey.of(null, "17"))
        .withMessage("scope");
    assertThatNullPointerException()
        .isThrownBy(() -> IdempotencyKey.of("orders", null))
        .withMessage("id");
  }

  static Stream<Arguments> unpaired() {
    return Stream.of(
        Arguments.of("\ud83d", 0),
        Arguments.of("\ude00", 0),
        Arguments.of("a\ud83d", 1),
        Arguments.of("a\ud83db", 1),
        Arguments.of("\ude00\ud83d", 0),
        Arguments.of("\ud83d\ude00\ude00", 2),
        Arguments.of("\ud83d\ud83d\ude00", 0));
  }

  @ParameterizedTest
  @MethodSource("unpaired")
  void textThatHasNoBytesIsNoKey(String text, int index) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdempotencyKey.of(text, "17"))
        .withMessage(
            "scope: has an unpaired surrogate at index " + index + ", must be well-formed Unicode");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdempotencyKey.of("orders", text))
        .withMessageStartingWith("id: has an unpaired surrogate at index " + index);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\0", " ", " 17 ", "\ud83d\ude00", "a|b\\c/d%e~f", "\uffff", "\t\r\n"})
  void anyOtherTextIsAKeyAsItIs(String text) {
    IdempotencyKey key = IdempotencyKey.of(text, text);

    assertThat(key.scope()).isEqualTo(text);
    assertThat(key.id()).isEqualTo(text);
  }

  static Stream<Arguments> lookalikes() {
    return Stream.of(
        Arguments.of("17", "17 "),
        Arguments.of("17", "017"),
        Arguments.of("a", "A"),
        Arguments.of("\u00e9", "e\u0301"),
        Arguments.of("\u00c5", "\u212b"),
        Arguments.of("a\0b", "ab"),
        Arguments.of("1234:56", "12:3456"));
  }

  @ParameterizedTest
  @MethodSource("lookalikes")
  void nothingIsFoldedTrimmedOrNormalised(String one, String other) {
    assertThat(IdempotencyKey.of("orders", one)).isNotEqualTo(IdempotencyKey.of("orders", other));
    for (KeyFormat format : KeyFormatTest.formats()) {
      assertThat(format.encode(IdempotencyKey.of("orders", one)))
          .isNotEqualTo(format.encode(IdempotencyKey.of("orders", other)));
    }
  }
}
