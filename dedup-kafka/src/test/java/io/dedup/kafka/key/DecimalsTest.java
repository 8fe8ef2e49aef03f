// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "0.1e1, 1",
    "10e-1, 1",
    "100, 100",
    "1E+2, 100",
    "-0, 0",
    "-0.0, 0",
    "0e999, 0",
    "-1.50, -1.5",
    "0.001, 0.001",
    "1e-3, 0.001",
    "9007199254740993, 9007199254740993",
    "9007199254740992, 9007199254740992",
    "9007199254740993.0, 9007199254740993",
    "0.1, 0.1",
    "0.10000000000000001, 0.10000000000000001",
    "18446744073709551616, 18446744073709551616"
  })
  void aNumberIsItsExactDecimalValue(String lexeme, String canonical) {
    assertThat(Decimals.canonical(lexeme)).isEqualTo(canonical);
  }

  @Test
  void upToAThousandDigitsAreWritten() {
    assertThat(Decimals.canonical("1e999")).hasSize(1000);
    assertThat(Decimals.canonical("9".repeat(1000))).hasSize(1000);
    assertThat(Decimals.canonical("1e-1000")).isEqualTo("0." + "0".repeat(999) + "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e1000",
        "1e-1001",
        "1e999999999",
        "-1e999999999",
        "1e-999999999",
        "1e99999999999999999999",
        "NaN",
        "Infinity"
      })
  void absurdNumbersAreRefusedWithoutBeingWritten(String lexeme) {
    assertThat(Decimals.canonical(lexeme)).isNull();
  }

  @Test
  void aLexemeOfAMillionDigitsIsRefusedWithoutBeingRead() {
    assertThat(Decimals.canonical("1".repeat(1_000_000))).isNull();
  }
}
