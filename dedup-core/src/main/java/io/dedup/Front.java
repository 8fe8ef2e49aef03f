// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.HotKeys;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.TieredStore;
import io.dedup.claim.Transition;
import io.dedup.claim.TransitionTable;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private final @Nullable TieredStore stores;
  private final @Nullable HotKeys hot;
  private final FrontCalls calls;

  /**
   * Makes the front of an execution.
   *
   * @param stores the database and what is in front of it; null for nothing, which never knows
   * @param hot what this process remembers of both; null for nothing
   */
  Front(
      @Nullable TieredStore stores,
      @Nullable HotKeys hot,
      ProcessClock clock,
      Listeners listeners) {
    this.stores = stores;
    this.hot = hot;
    this.calls = new FrontCalls(clock, listeners);
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
   * Looks up what is known of these requests. To be called before the transaction in which they are
   * made: what is remembered after it goes to the front of the database as it was before.
   *
   * <p>A forced request is the inbox's business; the front says nothing of its key from now on. One
   * that slides is, too: it has to change the row.
   */
  View look(Collection<ClaimRequest> requests) {
    List<IdempotencyKey> forced =
        requests.stream().filter(ClaimRequest::force).map(ClaimRequest::key).toList();
    Map<IdempotencyKey, ClaimAnswer> remembered = remembered(requests, forced);
    if (stores == null) {
      return remembered.isEmpty() ? View.OF_NOTHING : View.of(remembered);
    }
    withdraw(stores, forced);
    List<ClaimRequest> asked =
        requests.stream()
            .filter(Front::isForTheFront)
            .filter(request -> !remembered.containsKey(request.key()))
            .toList();
    List<IdempotencyKey> keys = asked.stream().map(ClaimRequest::key).toList();
    if (keys.isEmpty() && !remembered.isEmpty() && remembered.size() == requests.size()) {
      // Not even the database's identity is asked for.
      return View.of(remembered);
    }
    View view =
        calls.ask(
            "find",
            () -> {
              ClaimStore now = stores.front();
              return new View(this, now, keys.isEmpty() ? Map.of() : now.find(keys));
            },
            View.OF_NOTHING);
    if (view != View.OF_NOTHING) {
      asked.forEach(view::answer);
      view.answers.putAll(remembered);
    }
    return view;
  }

  /** Returns what this process remembers to be done; no busy keys, which the inbox tells apart. */
  private Map<IdempotencyKey, ClaimAnswer> remembered(
      Collection<ClaimRequest> requests, List<IdempotencyKey> forced) {
    Map<IdempotencyKey, ClaimAnswer> done = new HashMap<>();
    if (hot != null) {
      hot.forget(forced);
      for (ClaimRequest request : requests) {
        HotKeys.Remembered known = hot.answer(request);
        if (known != null && known.answer() instanceof ClaimAnswer.Completed) {
          done.put(request.key(), known.answer());
        }
      }
    }
    return done;
  }

  /**
   * What the front knows at a moment, of the database as it is at that moment. Confined to a
   * thread.
   */
  static final class View {
    private static final View OF_NOTHING = new View(null, null, Map.of());

    private final @Nullable Front front;
    private final @Nullable ClaimStore store;
    private final Map<IdempotencyKey, ClaimRecord> found;
    private final Map<IdempotencyKey, ClaimAnswer> answers = new HashMap<>();

    private View(
        @Nullable Front front, @Nullable ClaimStore store, Map<IdempotencyKey, ClaimRecord> found) {
      this.front = front;
      this.store = store;
      this.found = found;
    }

    private static View of(Map<IdempotencyKey, ClaimAnswer> remembered) {
      View view = new View(null, null, Map.of());
      view.answers.putAll(remembered);
      return view;
    }

    /**
     * Returns what the inbox would answer, as far as that is known: {@code Completed} and {@code
     * Conflict} of keys that are done.
     */
    Map<IdempotencyKey, ClaimAnswer> answers() {
      return Collections.unmodifiableMap(answers);
    }

    private void answer(ClaimRequest request) {
      ClaimRecord record = found.get(request.key());
      ClaimAnswer answer = record == null ? null : Front.answer(record, request);
      if (answer != null) {
        answers.put(request.key(), answer);
      }
    }

    /** Remembers what was done in a transaction whose commit is known to have succeeded. */
    void remember(Collection<Done> done) {
      if (front == null || store == null || done.isEmpty()) {
        return;
      }
      front.calls.ask(
          "merge",
          () -> {
            Map<IdempotencyKey, ClaimRecord> records = new HashMap<>();
            done.forEach(one -> records.put(one.request().key(), record(one)));
            return store.merge(records);
          },
          0);
    }

    /**
     * Looks up what the inbox answered to be done and the front did not know. To be called after
     * the transaction.
     */
    void learn(Collection<ClaimRequest> requests) {
      List<IdempotencyKey> keys =
          requests.stream()
              .filter(Front::isForTheFront)
              .map(ClaimRequest::key)
              .filter(key -> !found.containsKey(key))
              .toList();
      if (front == null || store == null || keys.isEmpty()) {
        return;
      }
      Map<IdempotencyKey, ClaimRecord> rows = front.done(keys);
      if (!rows.isEmpty()) {
        front.calls.ask("merge", () -> store.merge(rows), 0);
      }
    }
  }

  /** Reads what is done, in a transaction of its own, so it is committed. */
  private Map<IdempotencyKey, ClaimRecord> done(List<IdempotencyKey> keys) {
    Map<IdempotencyKey, ClaimRecord> rows = new HashMap<>();
    if (stores != null && !calls.isTroubled()) {
      try {
        rows.putAll(stores.database().find(keys));
      } catch (RuntimeException e) {
        LOG.debug("what is done was not read for the front", e);
      }
    }
    rows.values().removeIf(row -> row.state() != State.SUCCEEDED);
    return rows;
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
      calls.trouble("withdraw", e);
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
}
