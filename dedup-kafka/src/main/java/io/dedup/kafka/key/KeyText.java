// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.ArrayList;
import java.util.List;

/**
 * The escapes of the textual form of keys: a backslash takes the meaning from the character behind
 * it.
 */
final class KeyText {

  /** What joins and groups keys. */
  static final String OPERATORS = "\\|+()";

  private KeyText() {}

  /** Returns the text with a backslash before each operator and each of {@code others}. */
  static String escape(String text, String others) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (OPERATORS.indexOf(c) >= 0 || others.indexOf(c) >= 0) {
        escaped.append('\\');
      }
      escaped.append(c);
    }
    return escaped.toString();
  }

  static String unescape(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\' && ++i == text.length()) {
        throw new IllegalArgumentException(
            "key: '"
                + text
                + "' ends with a backslash, must have the character it escapes behind it");
      }
      plain.append(text.charAt(i));
    }
    return plain.toString();
  }

  /** Returns the pieces between the separators that no backslash precedes, unescaped. */
  static List<String> split(String text, char separator) {
    return pieces(text, separator).stream().map(KeyText::unescape).toList();
  }

  /** Returns the pieces between the separators that no backslash precedes, still escaped. */
  static List<String> pieces(String text, char separator) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == separator) {
        pieces.add(text.substring(start, i));
        start = i + 1;
      }
    }
    pieces.add(text.substring(start));
    return pieces;
  }
}
