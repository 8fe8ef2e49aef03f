// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A small database: transactions over the records of a store in memory, and over a list of effects.
 * A transaction works on copies; its commit stores them if nobody else has changed a record
 * meanwhile, and is a conflict otherwise.
 */
final class MemoryTransactions implements Transactions {

  /** Decides what becomes of a commit. */
  interface Commit {
    void of(Runnable store);
  }

  private final World world;
  private final Map<Thread, Open> open = new ConcurrentHashMap<>();
  private final Deque<Commit> nextCommits = new ArrayDeque<>();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private RuntimeException noConnection;
  private RuntimeException rollbackFailure;

  MemoryTransactions(World world) {
    this.world = world;
  }

  /** Returns the store whose exchanges take part in the transaction of their thread. */
  ClaimStore inbox() {
    return new FaultyStore(world.memory)
        .failAlways(
            sent -> true,
            (store, sent) -> {
              Open transaction = mine();
              if (transaction == null) {
                throw new IllegalStateException("the inbox was asked outside of a transaction");
              }
              sent.settlements().forEach(s -> transaction.touch(s.claim().key()));
              sent.claims().forEach(c -> transaction.touch(c.key()));
              return transaction.copies.exchange(sent.settlements(), sent.claims());
            });
  }

  /** Does something that is done if the transaction commits. */
  void write(String effect) {
    mine().effects.add(effect);
  }

  /** Returns what is done. */
  List<String> effects() {
    return List.copyOf(effects);
  }

  /** Lets the next commits, in turn, go this way. */
  void nextCommit(Commit commit) {
    nextCommits.add(commit);
  }

  void noConnection(RuntimeException e) {
    noConnection = e;
  }

  void failNextRollback(RuntimeException e) {
    rollbackFailure = e;
  }

  static Commit conflict() {
    return store -> {
      throw new TransactionConflict("40001", null);
    };
  }

  static Commit refused() {
    return store -> {
      throw new IllegalStateException("deferred constraint");
    };
  }

  static Commit storedAndAnswerLost() {
    return store -> {
      store.run();
      throw new CommitIndeterminate("connection reset", null);
    };
  }

  static Commit answerLost() {
    return store -> {
      throw new CommitIndeterminate("connection reset", null);
    };
  }

  @Override
  public <T> T inTransaction(Work<T> work) throws Exception {
    if (noConnection != null) {
      throw noConnection;
    }
    begin();
    T value;
    try {
      value = work.run();
    } catch (Throwable e) {
      rollback();
      throw e;
    }
    commit();
    return value;
  }

  @Override
  public boolean isJoinable() {
    return mine() != null;
  }

  @Override
  public <T> T joined(Work<T> work) throws Exception {
    try {
      return work.run();
    } catch (Throwable e) {
      mine().doomed = true;
      throw e;
    }
  }

  void begin() {
    if (mine() != null) {
      throw new IllegalStateException("a transaction is active already");
    }
    open.put(Thread.currentThread(), new Open());
  }

  void rollback() {
    end(Completion.ROLLED_BACK);
    RuntimeException failure = rollbackFailure;
    if (failure != null) {
      rollbackFailure = null;
      throw failure;
    }
  }

  void commit() {
    Open transaction = mine();
    if (transaction.doomed) {
      rollback();
      throw new IllegalStateException("the transaction can only be rolled back");
    }
    Commit how = nextCommits.isEmpty() ? Runnable::run : nextCommits.pop();
    Completion completion = Completion.ROLLED_BACK;
    try {
      how.of(transaction::store);
      completion = Completion.COMMITTED;
    } catch (CommitIndeterminate e) {
      completion = Completion.UNKNOWN;
      throw e;
    } finally {
      end(completion);
    }
  }

  private void end(Completion completion) {
    Open transaction = mine();
    open.remove(Thread.currentThread());
    transaction.listeners.forEach(l -> l.accept(completion));
  }

  @Override
  public <T> T inSavepoint(Work<T> work) {
    throw new UnsupportedOperationException("no savepoints here");
  }

  @Override
  public boolean isActive() {
    return mine() != null;
  }

  @Override
  public void afterCompletion(Consumer<Completion> listener) {
    mine().listeners.add(listener);
  }

  private Open mine() {
    return open.get(Thread.currentThread());
  }

  /** A transaction. Confined to its thread. */
  private final class Open {
    private final InMemoryClaimStore copies =
        InMemoryClaimStore.create(world.clock.storeTime(), 1_000);
    private final Map<IdempotencyKey, Optional<ClaimRecord>> seen = new HashMap<>();
    private final List<String> effects = new ArrayList<>();
    private boolean doomed;
    private final List<Consumer<Completion>> listeners = new ArrayList<>();

    void touch(IdempotencyKey key) {
      if (!seen.containsKey(key)) {
        Optional<ClaimRecord> found = world.memory.find(key);
        seen.put(key, found);
        found.ifPresent(record -> copies.merge(Map.of(key, record)));
      }
    }

    void store() {
      synchronized (MemoryTransactions.this) {
        seen.forEach(
            (key, before) -> {
              if (!world.memory.find(key).equals(before)) {
                throw new TransactionConflict("40001", null);
              }
            });
        for (IdempotencyKey key : seen.keySet()) {
          world.memory.forget(key);
          copies.find(key).ifPresent(record -> world.memory.merge(Map.of(key, record)));
        }
        MemoryTransactions.this.effects.addAll(effects);
      }
    }
  }
}
