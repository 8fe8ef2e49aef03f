// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * Somebody who consumes a topic, and has the effect of each id happen once or does not try to.
 *
 * @param name as in the report
 * @param comparedWith the same without deduplication
 * @param onceOnly whether a repeated id is left out
 * @param start begins to consume
 */
record Contender(String name, String comparedWith, boolean onceOnly, Start start) {

  static final String PLAIN = "plain";

  /** Begins to consume in a thread of its own, with connections that are open already. */
  @FunctionalInterface
  interface Start {
    Session start(Course course) throws Exception;
  }

  /** A plain consumer without deduplication. */
  static Contender without(String name, Start start) {
    return new Contender(name, PLAIN, false, start);
  }

  /** One that has each effect happen once. */
  static Contender once(String name, Start start) {
    return new Contender(name, PLAIN, true, start);
  }

  Contender comparedWith(String other) {
    return new Contender(name, other, onceOnly, start);
  }

  long expected(Dataset data) {
    return onceOnly ? data.distinct() : data.records();
  }
}
