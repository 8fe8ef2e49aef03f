// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several deliveries in one database transaction: one exchange claims their keys, one completes
 * them, and all of it is stored, or nothing. Thread-safe.
 *
 * <p>A delivery that may have ended a process is claimed beforehand, as {@link
 * TransactionalExecution} does it.
 */
final class TransactionalBatch {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalBatch.class);
  private static final int CONFLICTS_MAX = 10;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

  private final ClaimStore store;
  private final ClaimStore inbox;
  private final Transactions transactions;
  private final StoreCalls calls;
  private final Front front;
  private final KeysInHand keys;
  private final Listeners listeners;
  private final String owner;

  TransactionalBatch(
      ClaimStore store,
      ClaimStore inbox,
      Transactions transactions,
      StoreCalls calls,
      Front front,
      KeysInHand keys,
      Listeners listeners,
      String owner) {
    this.store = store;
    this.inbox = inbox;
    this.transactions = transactions;
    this.calls = calls;
    this.front = front;
    this.keys = keys;
    this.listeners = listeners;
    this.owner = owner;
  }

  /**
   * Runs the handler in a transaction.
   *
   * @return an outcome for each delivery; of a repeat, that of the first with its key
   * @throws StoreException if the store is in trouble; nothing is stored
   * @throws Exception what the handler threw, after all was rolled back
   */
  List<Outcome<StoredResult>> execute(List<Ask> asks, BatchHandler handler) throws Exception {
    Batch batch = new Batch(asks);
    try {
      batch.prepare();
      batch.commit(handler);
      batch.tell();
      return batch.outcomes();
    } finally {
      batch.taken.forEach(keys::giveBack);
    }
  }

  /** One call. Confined to a thread. */
  private final class Batch {
    private final List<Ask> asks;
    private final Map<IdempotencyKey, Integer> first = new HashMap<>();
    private final Set<IdempotencyKey> taken = new HashSet<>();
    private final @Nullable Outcome<StoredResult>[] outcomes;
    private final @Nullable ClaimRequest[] requests;

    private Front.@Nullable View view;

    /** The tokens of claims that were made beforehand, by place. */
    private final Map<Integer, Long> beforehand = new HashMap<>();

    @SuppressWarnings("unchecked")
    Batch(List<Ask> asks) {
      this.asks = asks;
      this.outcomes = (Outcome<StoredResult>[]) new Outcome<?>[asks.size()];
      this.requests = new ClaimRequest[asks.size()];
    }

    /** Answers what can be answered without the transaction. */
    void prepare() {
      for (int i = 0; i < asks.size(); i++) {
        TransactionalExecution.check(asks.get(i).policy());
        IdempotencyKey key = asks.get(i).delivery().key();
        if (first.putIfAbsent(key, i) == null) {
          if (keys.take(key)) {
            taken.add(key);
            requests[i] = asks.get(i).claimInTransaction(calls, owner);
          } else {
            outcomes[i] = new Outcome.InProgress<>(owner, asks.get(i).policy().lease());
          }
        }
      }
      Front.View seen = front.look(open().stream().map(this::request).toList());
      view = seen;
      Map<IdempotencyKey, ClaimAnswer> known = seen.answers();
      for (int i : open()) {
        ClaimAnswer answer = known.get(request(i).key());
        if (answer != null) {
          outcomes[i] =
              answer.fold(new Answers<>(asks.get(i), StoredResultCodec.INSTANCE, a -> never()));
        }
      }
      for (int i : open()) {
        if (asks.get(i).delivery().suspect()) {
          claimBeforehand(i);
        }
      }
    }

    private void claimBeforehand(int i) {
      ClaimAnswer answer = calls.claim(store, request(i)).answer();
      if (!(answer instanceof ClaimAnswer.Acquired acquired)) {
        outcomes[i] =
            answer.fold(new Answers<>(asks.get(i), StoredResultCodec.INSTANCE, a -> never()));
      } else if (acquired.attempt() > asks.get(i).policy().maxAttempts()) {
        int attempts = acquired.attempt() - 1;
        fail(i, acquired.token(), "attempts used up: " + attempts);
        outcomes[i] = new Outcome.AttemptsUsedUp<>(attempts);
      } else {
        beforehand.put(i, acquired.token());
      }
    }

    /**
     * Nobody was lost: the runs of what was claimed beforehand ended with an answer. Which of them
     * failed is not known, and whoever did not must not be told that it had.
     */
    private void releaseBeforehand() {
      List<SettleRequest> releases = new ArrayList<>();
      beforehand.forEach(
          (place, token) ->
              releases.add(
                  new SettleRequest(request(place).claim(token), new Settlement.Release())));
      if (releases.isEmpty()) {
        return;
      }
      try {
        calls.settle(store, releases);
      } catch (StoreException | TransactionConflict e) {
        LOG.warn("claims not given back, their leases will end: {}", e.getMessage());
      }
    }

    private void fail(int i, long token, String error) {
      Policy policy = asks.get(i).policy();
      Settlement failure = new Settlement.Fail(error, policy.failedTtl(), policy.failedBackOff());
      calls.settle(store, new SettleRequest(request(i).claim(token), failure));
    }

    /** Tries the transaction, and again as a whole while the database ends it for others. */
    void commit(BatchHandler handler) throws Exception {
      List<@Nullable Outcome<StoredResult>> before = new ArrayList<>(Arrays.asList(outcomes));
      Duration pause = FIRST_PAUSE;
      for (int i = 1; ; i++) {
        try {
          Objects.requireNonNull(view).remember(once(handler));
          return;
        } catch (TransactionConflict e) {
          LOG.debug("transaction conflict {} of {}", i, CONFLICTS_MAX);
          if (i == CONFLICTS_MAX) {
            throw new StoreUnavailable("the database ended the transaction " + i + " times", e);
          }
          before.toArray(outcomes);
          pause(pause, e);
          pause = pause.multipliedBy(2);
        } catch (StoreException e) {
          keepSuspects();
          throw e;
        }
      }
    }

    /** What was claimed beforehand is ours still: the next call goes on with it. */
    private void keepSuspects() {
      for (int i : open()) {
        if (asks.get(i).delivery().suspect()) {
          calls.keepUnused(request(i));
        }
      }
    }

    private List<Front.Done> once(BatchHandler handler) throws Exception {
      List<Front.Done> done = new ArrayList<>();
      boolean[] handled = {false};
      try {
        transactions.inTransaction(
            () -> {
              done.clear();
              done.addAll(inTransaction(handler, handled));
              return done.size();
            });
        return done;
      } catch (CommitIndeterminate e) {
        if (done.isEmpty()) {
          throw new StoreUnavailable("the answer to a commit without changes was lost", e);
        }
        indeterminate(done, e);
        return List.of();
      } catch (HandlerThrew e) {
        releaseBeforehand();
        throw e.thrown();
      } catch (StoreException | TransactionConflict e) {
        throw e;
      } catch (Exception e) {
        if (handled[0]) {
          // The commit was refused, by a deferred constraint for example: what was written is
          // wrong.
          releaseBeforehand();
          throw e;
        }
        throw new StoreUnavailable("the transaction broke", e);
      }
    }

    private void indeterminate(List<Front.Done> done, CommitIndeterminate e) {
      for (Front.Done one : done) {
        IdempotencyKey key = one.request().key();
        listeners.tell(new DedupEvent.SettleIndeterminate(key, e));
        outcomes[Objects.requireNonNull(first.get(key))] = new Outcome.Indeterminate<>(null, e);
      }
    }

    private List<Front.Done> inTransaction(BatchHandler handler, boolean[] handled)
        throws HandlerThrew {
      List<Integer> sent = open();
      List<StoreCalls.Answered> answers =
          sent.isEmpty()
              ? List.of()
              : calls.claim(inbox, sent.stream().map(this::request).toList());
      Map<Integer, Long> tokens = new HashMap<>();
      List<@Nullable BatchEntry> entries = new ArrayList<>();
      asks.forEach(ask -> entries.add(null));
      for (int i = 0; i < sent.size(); i++) {
        int place = sent.get(i);
        if (answers.get(i).answer() instanceof ClaimAnswer.Acquired acquired) {
          tokens.put(place, acquired.token());
          entries.set(place, new BatchEntry.Acquired(context(place, acquired)));
        } else {
          outcomes[place] =
              answers
                  .get(i)
                  .answer()
                  .fold(new Answers<>(asks.get(place), StoredResultCodec.INSTANCE, a -> never()));
        }
      }
      for (int i = 0; i < asks.size(); i++) {
        int earlier = Objects.requireNonNull(first.get(asks.get(i).delivery().key()));
        Outcome<StoredResult> outcome = outcomes[earlier];
        if (outcome != null) {
          entries.set(i, new BatchEntry.Answered(outcome));
        } else if (earlier != i) {
          entries.set(i, repeat(earlier, i));
        }
      }
      Collection<Integer> effects =
          run(handler, entries.stream().map(Objects::requireNonNull).toList());
      handled[0] = true;
      return settled(tokens, effects);
    }

    private BatchEntry repeat(int earlier, int i) {
      Ask before = asks.get(earlier);
      if (before.fingerprint().conflictsWith(asks.get(i).fingerprint())) {
        outcomes[i] = new Outcome.Conflict<>(before.fingerprint(), asks.get(i).fingerprint());
        return new BatchEntry.Answered(Objects.requireNonNull(outcomes[i]));
      }
      return new BatchEntry.Repeat(earlier);
    }

    private DedupContext context(int place, ClaimAnswer.Acquired acquired) {
      return new RunContext(request(place).key(), acquired, DatabaseGrip.INSTANCE);
    }

    private Collection<Integer> run(BatchHandler handler, List<BatchEntry> entries)
        throws HandlerThrew {
      try {
        return handler.handle(entries);
      } catch (StoreException | TransactionConflict e) {
        throw e;
      } catch (Exception e) {
        throw new HandlerThrew(e);
      }
    }

    private List<Front.Done> settled(Map<Integer, Long> tokens, Collection<Integer> effects) {
      List<Integer> places = new ArrayList<>(tokens.keySet());
      List<SettleRequest> settlements = new ArrayList<>();
      for (int place : places) {
        Settlement settlement =
            effects.contains(place)
                ? new Settlement.Complete(null, asks.get(place).policy().ttl())
                : new Settlement.Release();
        long token = Objects.requireNonNull(tokens.get(place));
        settlements.add(new SettleRequest(request(place).claim(token), settlement));
      }
      if (settlements.isEmpty()) {
        return List.of();
      }
      Exchange exchange = calls.settleTimed(inbox, settlements);
      List<Front.Done> done = new ArrayList<>();
      for (int i = 0; i < places.size(); i++) {
        int place = places.get(i);
        long token = Objects.requireNonNull(tokens.get(place));
        if (exchange.settled().get(i) instanceof SettleAnswer.Fenced fenced) {
          throw new StoreUnavailable(
              "a claim was taken over in its own transaction, by " + fenced.current(), null);
        }
        if (settlements.get(i).settlement() instanceof Settlement.Complete completion) {
          outcomes[place] = new Outcome.Executed<>(null, token);
          done.add(new Front.Done(request(place), token, completion, exchange.storeTime()));
        } else {
          outcomes[place] = new Outcome.InProgress<>("", Duration.ZERO);
        }
      }
      return done;
    }

    void tell() {
      List<ClaimRequest> learnt = new ArrayList<>();
      for (int i = 0; i < asks.size(); i++) {
        Outcome<StoredResult> outcome = outcomes[i];
        if (outcome == null) {
          outcome = ofRepeat(i);
          outcomes[i] = outcome;
        }
        if (outcome instanceof Outcome.Duplicate && requests[i] != null) {
          learnt.add(request(i));
        }
        Ask ask = asks.get(i);
        Deduplicator.log(ask.delivery(), outcome);
        listeners.tell(
            new DedupEvent.Decided(
                ask.delivery().key(),
                outcome,
                ask.delivery().label(),
                Duration.ZERO,
                ask.policy().ttl()));
      }
      Objects.requireNonNull(view).learn(learnt);
    }

    private Outcome<StoredResult> ofRepeat(int i) {
      int earlier = Objects.requireNonNull(first.get(asks.get(i).delivery().key()));
      Outcome<StoredResult> outcome = Objects.requireNonNull(outcomes[earlier]);
      if (!(outcome instanceof Outcome.Executed)) {
        return outcome;
      }
      Delivery before = asks.get(earlier).delivery();
      DuplicateReason reason = DuplicateReason.of(asks.get(i).delivery().origin(), before.origin());
      return new Outcome.Duplicate<>(null, reason, before.origin(), calls.storeTime());
    }

    List<Outcome<StoredResult>> outcomes() {
      return Arrays.stream(outcomes).map(Objects::requireNonNull).toList();
    }

    /** Returns the places of keys that are asked for and not answered. */
    private List<Integer> open() {
      List<Integer> open = new ArrayList<>();
      for (int i = 0; i < asks.size(); i++) {
        if (requests[i] != null && outcomes[i] == null) {
          open.add(i);
        }
      }
      return open;
    }

    private ClaimRequest request(int place) {
      return Objects.requireNonNull(requests[place]);
    }

    private void pause(Duration pause, TransactionConflict conflict) {
      try {
        calls.clock().sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreUnavailable("interrupted after a transaction conflict", conflict);
      }
    }
  }

  private static Outcome<StoredResult> never() {
    throw new IllegalStateException("acquired, and looked at before");
  }

  /** Carries the handler's exception through the transaction. */
  private static final class HandlerThrew extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Exception thrown;

    HandlerThrew(Exception thrown) {
      super(thrown);
      this.thrown = thrown;
    }

    Exception thrown() {
      return thrown;
    }
  }
}
