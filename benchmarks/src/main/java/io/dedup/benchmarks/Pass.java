// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * What one pass of one contender over a topic took and did.
 *
 * @param records of the topic
 * @param seconds from the first records of a poll until the last commit
 * @param cpuSeconds of this process meanwhile, all of its threads
 * @param executed how often the handler ran
 * @param expected how often it should have
 * @param doubled ids for which it ran twice although it should not have
 */
record Pass(
    long records, double seconds, double cpuSeconds, long executed, long expected, long doubled) {

  double recordsPerSecond() {
    return records / seconds;
  }

  double cpuMicrosPerRecord() {
    return cpuSeconds * 1e6 / records;
  }

  boolean isExact() {
    return executed == expected && doubled == 0;
  }
}
