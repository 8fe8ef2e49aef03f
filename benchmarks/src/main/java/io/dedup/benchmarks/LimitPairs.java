// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;

/** Pairs as fast as Redis lets us. */
record LimitPairs(RedisLimit redis) implements Pairs {

  @Override
  public void claimAndComplete(List<String> ids) {
    if (redis.claim(ids).contains(false)) {
      throw new IllegalStateException("not acquired");
    }
    redis.complete(ids);
  }

  @Override
  public void close() {
    redis.close();
  }
}
