// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One way to write each number: plain decimal notation without needless zeros, and without a sign
 * for zero.
 */
final class Decimals {

  /**
   * Numbers that take more digits are refused: a few bytes such as 1e999999999 would fill the
   * memory.
   */
  static final int DIGITS_MAX = 1_000;

  private Decimals() {}

  /** Returns the number in its one notation, null if it is none, or takes too many digits. */
  static @Nullable String canonical(String lexeme) {
    BigDecimal value;
    try {
      value = lexeme.length() > DIGITS_MAX + 20 ? null : new BigDecimal(lexeme);
    } catch (NumberFormatException e) {
      return null;
    }
    if (value == null) {
      return null;
    }
    BigDecimal shortest = value.stripTrailingZeros();
    long precision = shortest.precision();
    long digits = Math.max(precision, Math.max(shortest.scale(), precision - shortest.scale()));
    return digits > DIGITS_MAX ? null : shortest.toPlainString();
  }
}
