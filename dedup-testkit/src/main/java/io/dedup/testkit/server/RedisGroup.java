// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Starting and awaiting several Redis processes that belong together. */
final class RedisGroup {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private RedisGroup() {}

  /** Starts a process for each configuration, all or none. */
  static List<Node> start(List<RedisConfig> configs) {
    List<Node> nodes = new ArrayList<>();
    try {
      for (RedisConfig config : configs) {
        nodes.add(ProcessNode.start(RedisRecipe.of(config), config.port()));
      }
      return nodes;
    } catch (RuntimeException e) {
      nodes.forEach(Node::close);
      throw e;
    }
  }

  /** A question to Redis that answers whether something has come to pass. */
  interface Question {
    boolean ask() throws IOException;
  }

  static void await(String what, Question question) {
    long from = System.nanoTime();
    while (!isTrue(question)) {
      if (System.nanoTime() - from > PATIENCE.toNanos()) {
        throw new IllegalStateException(what + " not within " + PATIENCE);
      }
      LockSupport.parkNanos(POLL.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while waiting: " + what);
      }
    }
  }

  private static boolean isTrue(Question question) {
    try {
      return question.ask();
    } catch (IOException e) {
      return false;
    }
  }
}
