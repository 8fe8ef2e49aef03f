// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/** Reads along on one connection, and counts. Its methods are called by several threads. */
interface Meter {

  void request(byte[] bytes, int length);

  void reply(byte[] bytes, int length);

  Traffic traffic();
}
