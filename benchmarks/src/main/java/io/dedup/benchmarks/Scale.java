// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.Locale;

/** How much is measured. */
enum Scale {
  /** For tests of the runner: nothing is learned. */
  TINY(600, 300, 1, 500, 20, 1_000, 2_000, 4),
  QUICK(40_000, 4_000, 3, 25_000, 60, 1_000, 100_000, 20),
  FULL(100_000, 8_000, 5, 50_000, 100, 10_000, 10_000_000, 60);

  private final int large;
  private final int small;
  private final int rounds;
  private final int keysForMemory;
  private final int slowRecords;
  private final int fewKeys;
  private final int manyKeys;
  private final int pairBatches;

  Scale(
      int large,
      int small,
      int rounds,
      int keysForMemory,
      int slowRecords,
      int fewKeys,
      int manyKeys,
      int pairBatches) {
    this.large = large;
    this.small = small;
    this.rounds = rounds;
    this.keysForMemory = keysForMemory;
    this.slowRecords = slowRecords;
    this.fewKeys = fewKeys;
    this.manyKeys = manyKeys;
    this.pairBatches = pairBatches;
  }

  /** Records of a topic for contenders that get through it soon. */
  int large() {
    return large;
  }

  /** Records of a topic for warming up, for counting, and for contenders that are slow. */
  int small() {
    return small;
  }

  int rounds() {
    return rounds;
  }

  /** Just above three quarters of a power of two: tables of hashes grow at those. */
  int keysForMemory() {
    return keysForMemory;
  }

  int slowRecords() {
    return slowRecords;
  }

  int fewKeys() {
    return fewKeys;
  }

  int manyKeys() {
    return manyKeys;
  }

  /** Batches in a round of claims and completions without Kafka. */
  int pairBatches() {
    return pairBatches;
  }

  /** Whether a contender of that speed gets through the large topic within a few seconds. */
  boolean isSoonThroughLarge(double recordsPerSecond) {
    return recordsPerSecond * 5 >= large;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
