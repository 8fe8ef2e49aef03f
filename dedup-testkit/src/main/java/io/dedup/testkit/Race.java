// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A few threads that do something at the same moment. Whoever takes too long fails the test. */
final class Race implements AutoCloseable {

  /** Generous: on a store that works nobody waits for anybody but the machine. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  private final ExecutorService threads;
  private final List<ClaimStore> stores;

  /** A race of {@code runners}, who use the stores in turn. */
  Race(int runners, List<ClaimStore> stores) {
    this.stores = stores;
    this.threads =
        Executors.newFixedThreadPool(
            runners,
            task -> {
              Thread thread = new Thread(task, "contract-race");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Lets each runner go, all at once.
   *
   * @return what they brought, in their order
   */
  <T> List<T> run(List<Runner<T>> runners) {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<T>> results = new ArrayList<>();
    for (int i = 0; i < runners.size(); i++) {
      Runner<T> runner = runners.get(i);
      ClaimStore store = stores.get(i % stores.size());
      Callable<T> task =
          () -> {
            start.await();
            return runner.run(store);
          };
      results.add(threads.submit(task));
    }
    start.countDown();
    return results.stream().map(Race::get).toList();
  }

  private static <T> T get(Future<T> result) {
    try {
      return result.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("a rival got no answer within " + LIMIT, e);
    } catch (ExecutionException e) {
      throw new AssertionError("a rival failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /**
   * Does something to a store.
   *
   * @param <T> what it brings
   */
  @FunctionalInterface
  interface Runner<T> {
    T run(ClaimStore store) throws Exception;
  }
}
