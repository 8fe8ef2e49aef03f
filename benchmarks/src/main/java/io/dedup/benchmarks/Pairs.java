// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;

/** Claims new keys and completes them, without Kafka. */
interface Pairs extends AutoCloseable {

  void claimAndComplete(List<String> ids);

  @Override
  void close();
}
