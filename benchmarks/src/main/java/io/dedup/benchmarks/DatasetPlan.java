// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * What a topic is filled with.
 *
 * @param records how many
 * @param partitions over how many partitions they are dealt, one after the other
 * @param duplicates the share of records that repeat an earlier id, 0 to 1
 * @param seed of chance
 */
record DatasetPlan(int records, int partitions, double duplicates, long seed) {

  DatasetPlan of(int otherRecords) {
    return new DatasetPlan(otherRecords, partitions, duplicates, seed);
  }
}
