// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.Arrays;
import java.util.Collection;

/**
 * What several rounds gave.
 *
 * @param low the lowest
 * @param median the one in the middle, or between the two in the middle
 * @param high the highest
 */
record Spread(double low, double median, double high) {

  /** Returns the spread of values, of which there must be one at least. */
  static Spread of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("values: were none, must be at least one");
    }
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Spread(sorted[0], median, Arrays.stream(sorted).max().orElseThrow());
  }
}
