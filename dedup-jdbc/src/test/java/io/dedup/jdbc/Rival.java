// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.Transactions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A transaction of another thread that stays open, its work done, until it is told how to end. */
final class Rival implements AutoCloseable {

  private static final int SECONDS_MAX = 30;

  private final CompletableFuture<Object> workDone = new CompletableFuture<>();
  private final CompletableFuture<Boolean> commit = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private Rival() {}

  /** Begins a transaction and does the work in it. */
  static Rival in(Transactions transactions, Transactions.Work<?> work) throws Exception {
    Rival rival = new Rival();
    Thread thread = new Thread(() -> rival.run(transactions, work), "rival");
    thread.setDaemon(true);
    thread.start();
    rival.workDone.get(SECONDS_MAX, TimeUnit.SECONDS);
    return rival;
  }

  void commit() throws Exception {
    end(true);
  }

  void rollBack() throws Exception {
    end(false);
  }

  @Override
  public void close() throws Exception {
    end(false);
  }

  private void end(boolean committed)
      throws ExecutionException, InterruptedException, TimeoutException {
    commit.complete(committed);
    ended.get(SECONDS_MAX, TimeUnit.SECONDS);
  }

  private void run(Transactions transactions, Transactions.Work<?> work) {
    try {
      transactions.inTransaction(
          () -> {
            Object result = work.run();
            workDone.complete(result);
            if (!commit.get(SECONDS_MAX, TimeUnit.SECONDS)) {
              throw new RollBack();
            }
            return result;
          });
      ended.complete(null);
    } catch (RollBack e) {
      ended.complete(null);
    } catch (Exception | Error e) {
      workDone.completeExceptionally(e);
      ended.completeExceptionally(e);
    }
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
