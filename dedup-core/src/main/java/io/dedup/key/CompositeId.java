// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.util.List;

/** Joins several parts to one id such that two different lists never give the same id. */
public final class CompositeId {

  private CompositeId() {}

  /**
   * Returns the parts with {@code |} between them; a {@code |} or {@code \} within a part is
   * preceded by {@code \}.
   *
   * @throws IllegalArgumentException if there is no part
   */
  public static String join(List<String> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("parts: was empty, must have at least one");
    }
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        id.append('|');
      }
      escape(parts.get(i), id);
    }
    return id.toString();
  }

  private static void escape(String part, StringBuilder id) {
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '|' || c == '\\') {
        id.append('\\');
      }
      id.append(c);
    }
  }
}
