// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.TieredStore;
import io.dedup.claim.Transition;
import io.dedup.claim.TransitionTable;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store in front of an inbox, which answers "already done" before a transaction is begun, and
 * learns what is done after it has committed. Thread-safe.
 *
 * <p>Whatever is wrong with it costs speed only: it then knows nothing and learns nothing, and the
 * inbox decides. While it is in trouble one call in a while asks it again, so that not each
 * delivery waits for its time-out.
 */
final class Front {

  private static final Logger LOG = LoggerFactory.getLogger(Front.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final @Nullable TieredStore stores;
  private final ProcessClock clock;
  private final Listeners listeners;
  private final AtomicLong askAgainAtNanos = new AtomicLong();
  private volatile boolean troubled;

  /**
   * Makes the front of an execution.
   *
   * @param stores the database and what is in front of it; null for nothing, which never knows
   */
  Front(@Nullable TieredStore stores, ProcessClock clock, Listeners listeners) {
    this.stores = stores;
    this.clock = clock;
    this.listeners = listeners;
  }

  /**
   * An effect and its completion, which are known to be committed.
   *
   * @param request the claim
   * @param token what it was answered
   * @param completion what the inbox stored
   * @param at when, by the inbox's clock
   */
  record Done(ClaimRequest request, long token, Settlement.Complete completion, Instant at) {}

  /**
   * Returns what the inbox would answer, as far as that is known: {@code Completed} and {@code
   * Conflict} of keys that are done. To be called before the transaction in which the requests are
   * made.
   *
   * <p>A forced request is the inbox's business; the front says nothing of its key from now on. One
   * that slides is, too: it has to change the row.
   */
  Map<IdempotencyKey, ClaimAnswer> known(Collection<ClaimRequest> requests) {
    Map<IdempotencyKey, ClaimAnswer> answers = new HashMap<>();
    if (stores == null) {
      return answers;
    }
    List<ClaimRequest> asked = requests.stream().filter(Front::isForTheFront).toList();
    withdraw(stores, requests.stream().filter(ClaimRequest::force).map(ClaimRequest::key).toList());
    if (asked.isEmpty()) {
      return answers;
    }
    List<IdempotencyKey> keys = asked.stream().map(ClaimRequest::key).toList();
    Map<IdempotencyKey, ClaimRecord> found = ask("find", () -> stores.front().find(keys), Map.of());
    for (ClaimRequest request : asked) {
      ClaimRecord record = found.get(request.key());
      ClaimAnswer answer = record == null ? null : answer(record, request);
      if (answer != null) {
        answers.put(request.key(), answer);
      }
    }
    return answers;
  }

  private static boolean isForTheFront(ClaimRequest request) {
    return !request.force() && !request.slide();
  }

  /** The rules are the inbox's, so the answers are. */
  private static @Nullable ClaimAnswer answer(ClaimRecord record, ClaimRequest request) {
    if (record.state() != State.SUCCEEDED) {
      return null;
    }
    // The front has judged already that it is not expired, so it is judged as of its completion.
    Transition<ClaimAnswer> judged =
        TransitionTable.rules().claim(record, request.withNotAfter(null), record.updated());
    ClaimAnswer answer = judged.answer();
    boolean certain =
        answer instanceof ClaimAnswer.Completed || answer instanceof ClaimAnswer.Conflict;
    return certain ? answer : null;
  }

  /** Remembers what was done in a transaction whose commit is known to have succeeded. */
  void remember(Collection<Done> done) {
    if (stores == null || done.isEmpty()) {
      return;
    }
    ask(
        "merge",
        () -> {
          Map<IdempotencyKey, ClaimRecord> records = new HashMap<>();
          done.forEach(one -> records.put(one.request().key(), record(one)));
          return stores.front().merge(records);
        },
        0);
  }

  /**
   * Looks up what the inbox answered to be done and the front did not know. To be called after the
   * transaction.
   */
  void learn(Collection<ClaimRequest> requests) {
    List<IdempotencyKey> keys =
        requests.stream().filter(Front::isForTheFront).map(ClaimRequest::key).toList();
    if (stores == null || keys.isEmpty() || troubled) {
      return;
    }
    Map<IdempotencyKey, ClaimRecord> rows;
    try {
      // In a transaction of its own, so it is committed, whatever the caller's becomes.
      rows = new HashMap<>(stores.database().find(keys));
    } catch (RuntimeException e) {
      LOG.debug("what is done was not read for the front", e);
      return;
    }
    rows.values().removeIf(row -> row.state() != State.SUCCEEDED);
    if (!rows.isEmpty()) {
      ask("merge", () -> stores.front().merge(rows), 0);
    }
  }

  /**
   * Whoever forces a record wants it to run, front or not; what cannot be withdrawn is done, too,
   * with an older result.
   */
  private void withdraw(TieredStore tiers, List<IdempotencyKey> forced) {
    if (forced.isEmpty()) {
      return;
    }
    try {
      tiers.withdraw(forced, "forced");
    } catch (RuntimeException e) {
      trouble("withdraw", e);
    }
  }

  /** Makes the record that the inbox has, as far as a claim can tell. */
  private static ClaimRecord record(Done done) {
    ClaimRequest request = done.request();
    Instant at = done.at();
    ClaimRecord claimed =
        new ClaimRecord(
            State.PROCESSING,
            request.claimId(),
            done.token(),
            "",
            at,
            StartMark.STARTED,
            false,
            0,
            request.fingerprint(),
            request.origin(),
            List.of(),
            null,
            null,
            at,
            at,
            at.plusSeconds(1));
    Claim claim = request.claim(done.token());
    ClaimRecord completed =
        TransitionTable.rules()
            .settle(claimed, new SettleRequest(claim, done.completion()), at)
            .record();
    if (completed == null) {
      throw new IllegalStateException("a completion must change what was claimed");
    }
    return completed;
  }

  private <T> T ask(String verb, Supplier<T> question, T unknown) {
    if (isWaiting()) {
      return unknown;
    }
    try {
      T answer = question.get();
      if (troubled) {
        troubled = false;
        LOG.info("the front answers again");
      }
      return answer;
    } catch (RuntimeException e) {
      trouble(verb, e);
      return unknown;
    }
  }

  /** Whether the front is in trouble and it is not this call's turn to try. */
  private boolean isWaiting() {
    if (!troubled) {
      return false;
    }
    long at = askAgainAtNanos.get();
    long now = clock.nanoTime();
    return now - at < 0 || !askAgainAtNanos.compareAndSet(at, now + PAUSE.toNanos());
  }

  private void trouble(String verb, RuntimeException e) {
    StoreException cause =
        e instanceof StoreException known
            ? known
            : new StoreUnavailable("the front broke its contract", e);
    listeners.tell(new DedupEvent.StoreFailed("front-" + verb, cause));
    if (e instanceof StoreCorrupt) {
      // One unreadable record says nothing about the others.
      LOG.warn("a record of the front cannot be read, going on without: {}", e.getMessage());
      return;
    }
    askAgainAtNanos.set(clock.nanoTime() + PAUSE.toNanos());
    if (!troubled) {
      troubled = true;
      LOG.warn("the front does not answer, going on without: {}", e.toString());
    }
  }
}
