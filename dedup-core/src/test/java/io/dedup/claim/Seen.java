// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.Arrays;

/** The states met so far, by their digests, and how each was reached first. Not thread-safe. */
final class Seen {

  private long[] table = new long[1 << 17];
  private int[] parents = new int[1 << 15];
  private short[] steps = new short[1 << 15];
  private int count;

  int count() {
    return count;
  }

  /**
   * Adds a state, unless it is known.
   *
   * @param parent the number of the state before it, -1 for the first
   * @param step which of that state's steps led here
   * @return its number, or -1 if it is known
   */
  int add(Digest digest, int parent, int step) {
    if (4 * count > table.length - 8) {
      grow();
    }
    if (!insert(table, digest.high, digest.low)) {
      return -1;
    }
    if (count == parents.length) {
      parents = Arrays.copyOf(parents, 2 * count);
      steps = Arrays.copyOf(steps, 2 * count);
    }
    parents[count] = parent;
    steps[count] = (short) step;
    return count++;
  }

  /**
   * Returns the steps that led to a state, each as its place among the steps of the state before.
   */
  int[] path(int number) {
    int length = 0;
    for (int i = number; parents[i] >= 0; i = parents[i]) {
      length++;
    }
    int[] path = new int[length];
    for (int i = number; parents[i] >= 0; i = parents[i]) {
      path[--length] = steps[i];
    }
    return path;
  }

  private void grow() {
    long[] larger = new long[2 * table.length];
    for (int i = 0; i < table.length; i += 2) {
      if (table[i] != 0 || table[i + 1] != 0) {
        insert(larger, table[i], table[i + 1]);
      }
    }
    table = larger;
  }

  /** Linear probing; a pair of zeros is an empty place. */
  private static boolean insert(long[] table, long high, long low) {
    int mask = table.length - 1;
    for (int i = ((int) low << 1) & mask; ; i = (i + 2) & mask) {
      if (table[i] == 0 && table[i + 1] == 0) {
        table[i] = high;
        table[i + 1] = low;
        return true;
      }
      if (table[i] == high && table[i + 1] == low) {
        return false;
      }
    }
  }
}
