// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/** Makes free text fit for every store. */
final class StoredText {

  private StoredText() {}

  /**
   * Returns the beginning of {@code text}, without NUL and unpaired surrogates, which some stores
   * refuse.
   */
  static String fit(String text, int max) {
    StringBuilder fit = new StringBuilder(Math.min(text.length(), max));
    text.codePoints()
        .limit(max)
        .map(c -> isStorable(c) ? c : '?')
        .takeWhile(c -> fit.length() + Character.charCount(c) <= max)
        .forEach(fit::appendCodePoint);
    return fit.toString();
  }

  /** Returns whether {@code text} is kept as it is by every store. */
  static boolean isStorable(String text) {
    return text.codePoints().allMatch(StoredText::isStorable);
  }

  private static boolean isStorable(int c) {
    return c != 0 && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE);
  }
}
