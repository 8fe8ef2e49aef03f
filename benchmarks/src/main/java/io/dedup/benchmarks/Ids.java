// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** New ids of 36 characters, the same in each run. */
final class Ids {

  static final int BATCH = Course.MAX_POLL_RECORDS;

  private final AtomicLong next = new AtomicLong();

  /** A batch of {@value #BATCH}. */
  List<String> batch() {
    return Stream.generate(this::one).limit(BATCH).toList();
  }

  String one() {
    long number = next.incrementAndGet();
    return new UUID(number * 0x9E3779B97F4A7C15L, number).toString();
  }
}
