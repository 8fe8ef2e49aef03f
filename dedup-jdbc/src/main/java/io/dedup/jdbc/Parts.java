// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.ArrayList;
import java.util.List;

/** Cuts lists into parts that fit into a statement. */
final class Parts {

  private Parts() {}

  /** Returns the list in parts of at most {@code max}; no part if it is empty. */
  static <T> List<List<T>> of(List<T> list, int max) {
    if (list.isEmpty()) {
      return List.of();
    }
    if (list.size() <= max) {
      return List.of(list);
    }
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < list.size(); from += max) {
      parts.add(list.subList(from, Math.min(list.size(), from + max)));
    }
    return parts;
  }
}
