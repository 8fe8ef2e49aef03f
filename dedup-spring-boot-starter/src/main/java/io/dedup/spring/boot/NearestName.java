// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody probably meant. */
final class NearestName {

  private NearestName() {}

  /** Returns the nearest of {@code names}, empty if none is nearer than a third of its length. */
  static Optional<String> of(String written, Collection<String> names) {
    return names.stream()
        .filter(name -> distance(written, name) <= Math.max(2, name.length() / 3))
        .min(
            Comparator.<String>comparingInt(name -> distance(written, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Returns how many letters have to be changed, added or left out (Levenshtein). */
  static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return above[b.length()];
  }
}
