// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one contender at one workload; null where there is none.
 *
 * @param contender who
 * @param workload at what
 * @param recordsPerSecond the median of the rounds
 * @param lowest of the rounds
 * @param highest of the rounds
 * @param ratioToPlain the median of the rounds' ratios to the plain loop of the same round
 * @param comparedWith another contender
 * @param ratioToCompared the median of the rounds' ratios to that one
 * @param cpuMicrosPerRecord of the consumer's process, the median of the rounds
 * @param roundTripsPerRecord waits for an answer of a store
 * @param statementsPerRecord commands of Redis and statements of SQL
 * @param bytesPerKey memory of Redis or disk of PostgreSQL, with all that belongs to it
 * @param executed how often the handler ran, in the last round
 * @param expected how often it should have
 * @param exact whether it ran as often as it should have, for each id, in each round
 */
@JsonPropertyOrder({
  "contender",
  "workload",
  "recordsPerSecond",
  "lowest",
  "highest",
  "ratioToPlain",
  "comparedWith",
  "ratioToCompared",
  "cpuMicrosPerRecord",
  "roundTripsPerRecord",
  "statementsPerRecord",
  "bytesPerKey",
  "executed",
  "expected",
  "exact"
})
record Result(
    String contender,
    String workload,
    @Nullable Double recordsPerSecond,
    @Nullable Double lowest,
    @Nullable Double highest,
    @Nullable Double ratioToPlain,
    @Nullable String comparedWith,
    @Nullable Double ratioToCompared,
    @Nullable Double cpuMicrosPerRecord,
    @Nullable Double roundTripsPerRecord,
    @Nullable Double statementsPerRecord,
    @Nullable Double bytesPerKey,
    @Nullable Long executed,
    @Nullable Long expected,
    boolean exact) {}
