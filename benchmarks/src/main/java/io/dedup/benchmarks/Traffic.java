// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * What went over connections to a store.
 *
 * @param roundTrips how often a client sent something while no answer was outstanding
 * @param statements commands of Redis, or executions of SQL statements
 */
record Traffic(long roundTrips, long statements) {

  static final Traffic NONE = new Traffic(0, 0);

  Traffic plus(Traffic other) {
    return new Traffic(roundTrips + other.roundTrips, statements + other.statements);
  }

  Traffic minus(Traffic other) {
    return new Traffic(roundTrips - other.roundTrips, statements - other.statements);
  }
}
