// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores completions behind their effects, by group commit: while one exchange is under way, the
 * next one fills. Thread-safe.
 *
 * <p>What cannot be stored is tried again while its lease lasts, and is indeterminate after that.
 * With the effect in hand, no more than a bounded number are not answered at a time: that many may
 * be done again after a crash.
 */
final class SettleQueue implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SettleQueue.class);
  private static final int BATCH_MAX = 500;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ClaimStore store;
  private final StoreCalls calls;
  private final LeaseSettling settling;
  private final int maxUnsettled;
  private final boolean byHand;
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition something = guard.newCondition();
  private final Condition room = guard.newCondition();
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private int unsettled;

  /** Touched by whoever sends, which is one thread. */
  private Duration pause = FIRST_PAUSE;

  private @Nullable Thread thread;
  private boolean closed;

  /**
   * Makes an empty queue.
   *
   * @param byHand whether it has no thread, and whoever waits sends what is to be sent
   */
  SettleQueue(
      ClaimStore store,
      StoreCalls calls,
      LeaseSettling settling,
      int maxUnsettled,
      boolean byHand) {
    this.store = store;
    this.calls = calls;
    this.settling = settling;
    this.maxUnsettled = maxUnsettled;
    this.byHand = byHand;
  }

  private record Entry(Held held, Settlement.Complete completion) {
    SettleRequest request() {
      return new SettleRequest(held.claim().claim(), completion);
    }
  }

  /**
   * Adds a completion. Returns when fewer than the bound are not answered, so that with the next
   * effect in hand there are no more than that; waits at most as long as leases last.
   */
  void add(Held held, Settlement.Complete completion) {
    boolean interrupted = false;
    guard.lock();
    try {
      unsettled++;
      waiting.add(new Entry(held, completion));
      startThread();
      something.signal();
      while (unsettled >= maxUnsettled && !closed && !interrupted) {
        if (byHand) {
          sendSome();
          continue;
        }
        try {
          room.await();
        } catch (InterruptedException e) {
          // It is stored all the same, and whoever commits waits for that.
          interrupted = true;
        }
      }
    } finally {
      guard.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void startThread() {
    if (thread == null && !byHand) {
      Thread started = new Thread(this::run, "dedup-settle");
      started.setDaemon(true);
      thread = started;
      started.start();
    }
  }

  private void run() {
    while (awaitSomething()) {
      sendSome();
    }
  }

  /** Returns whether there is something to send; false once closed and empty. */
  private boolean awaitSomething() {
    guard.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        something.awaitUninterruptibly();
      }
      return !waiting.isEmpty();
    } finally {
      guard.unlock();
    }
  }

  /** Sends a batch if there is one, and pauses if it has to be sent again. */
  void sendSome() {
    List<Entry> left = sent(next());
    if (left.isEmpty()) {
      pause = FIRST_PAUSE;
    } else {
      putBack(left);
      pause(pause);
      pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
    }
  }

  boolean isByHand() {
    return byHand;
  }

  private List<Entry> next() {
    guard.lock();
    try {
      Set<IdempotencyKey> keys = new HashSet<>();
      List<Entry> batch = new ArrayList<>();
      // A batch names each key once; an older claim of the same key goes with the next.
      while (batch.size() < BATCH_MAX
          && !waiting.isEmpty()
          && keys.add(waiting.peekFirst().held().key())) {
        batch.add(waiting.removeFirst());
      }
      return batch;
    } finally {
      guard.unlock();
    }
  }

  /** Sends a batch. Returns what has to be sent again. */
  private List<Entry> sent(List<Entry> batch) {
    if (batch.isEmpty()) {
      return List.of();
    }
    try {
      List<SettleAnswer> answers = calls.settle(store, batch.stream().map(Entry::request).toList());
      for (int i = 0; i < batch.size(); i++) {
        answered(batch.get(i), answers.get(i));
      }
      return List.of();
    } catch (StoreUnavailable e) {
      return batch.stream().filter(entry -> mayTryAgain(entry, e)).toList();
    } catch (StoreCorrupt e) {
      return oneByOne(batch, e);
    } catch (StoreException | TransactionConflict e) {
      batch.forEach(entry -> indeterminate(entry, e));
      return List.of();
    } catch (Throwable e) {
      // Without this thread nothing would be settled any more, so not even an error ends it.
      LOG.error("settling failed, trying again", e);
      StoreUnavailable trouble = new StoreUnavailable("settling broke", e);
      return batch.stream().filter(entry -> mayTryAgain(entry, trouble)).toList();
    }
  }

  /** One unreadable record must not cost its neighbours their completions. */
  private List<Entry> oneByOne(List<Entry> batch, StoreCorrupt trouble) {
    if (batch.size() == 1) {
      indeterminate(batch.get(0), trouble);
      return List.of();
    }
    List<Entry> left = new ArrayList<>();
    batch.forEach(entry -> left.addAll(sent(List.of(entry))));
    return left;
  }

  private void answered(Entry entry, SettleAnswer answer) {
    ended();
    answer.fold(
        applied -> {
          entry.held().answered(true, Holder.nobody());
          return null;
        },
        fenced -> {
          entry.held().answered(false, fenced.current());
          return null;
        });
  }

  private boolean mayTryAgain(Entry entry, StoreUnavailable trouble) {
    if (closed || entry.held().isLeaseOver()) {
      indeterminate(entry, trouble);
      return false;
    }
    return true;
  }

  private void indeterminate(Entry entry, RuntimeException trouble) {
    ended();
    entry.held().decided(settling.indeterminate(entry.held().claim(), null, trouble));
  }

  private void ended() {
    guard.lock();
    try {
      unsettled--;
      room.signal();
    } finally {
      guard.unlock();
    }
  }

  private void putBack(List<Entry> entries) {
    guard.lock();
    try {
      for (int i = entries.size() - 1; i >= 0; i--) {
        waiting.addFirst(entries.get(i));
      }
    } finally {
      guard.unlock();
    }
  }

  private void pause(Duration pause) {
    try {
      calls.clock().sleep(pause);
    } catch (InterruptedException e) {
      LOG.debug("interrupted, and going on: what is done is stored until the queue is closed");
    }
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** Takes no more, and waits for what is on its way, at most as long as a command may take. */
  @Override
  public void close() {
    Thread running;
    guard.lock();
    try {
      closed = true;
      running = thread;
      something.signalAll();
      room.signalAll();
    } finally {
      guard.unlock();
    }
    if (running == null) {
      return;
    }
    try {
      running.join(TimeUnit.NANOSECONDS.toMillis(calls.commandTimeout().toNanos()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
