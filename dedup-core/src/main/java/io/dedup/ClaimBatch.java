// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call for many keys. A key that several deliveries ask for is sent once; the others are
 * answered as the first was, where that must be the same. Confined to a thread.
 */
final class ClaimBatch {

  private final Claims claims;
  private final List<Ask> asks;
  private final @Nullable Claimed[] answers;

  /** The first delivery that asks for a key which nobody here has. */
  private final Map<IdempotencyKey, Integer> first = new HashMap<>();

  ClaimBatch(Claims claims, List<Ask> asks) {
    this.claims = claims;
    this.asks = asks;
    this.answers = new Claimed[asks.size()];
  }

  List<Claimed> answers() {
    List<Integer> toSend = new ArrayList<>();
    List<Integer> repeats = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      if (first.containsKey(key(i))) {
        repeats.add(i);
      } else {
        answers[i] = taken(asks.get(i));
        if (answers[i] == null) {
          first.put(key(i), i);
          toSend.add(i);
        }
      }
    }
    try {
      send(toSend);
    } catch (StoreException e) {
      claims.release(acquired());
      throw e;
    } finally {
      toSend.forEach(i -> claims.keys().giveBack(key(i)));
    }
    answer(repeats);
    return Arrays.stream(answers).map(Objects::requireNonNull).toList();
  }

  private void answer(List<Integer> repeats) {
    List<Integer> open = new ArrayList<>();
    for (int i : repeats) {
      int before = Objects.requireNonNull(first.get(key(i)));
      answers[i] = sameAs(Objects.requireNonNull(answers[before]), asks.get(before), asks.get(i));
      if (answers[i] == null) {
        open.add(i);
      }
    }
    if (!open.isEmpty()) {
      List<Claimed> more = new ClaimBatch(claims, open.stream().map(asks::get).toList()).answers();
      for (int i = 0; i < open.size(); i++) {
        answers[open.get(i)] = more.get(i);
      }
    }
  }

  /** Returns null if nobody here has the key; it is taken for this thread then. */
  private @Nullable Claimed taken(Ask ask) {
    IdempotencyKey key = ask.delivery().key();
    KeysInHand keys = claims.keys();
    Held holder = keys.holder(key);
    if (holder != null && !holder.isLeaseOver()) {
      return ofHolder(holder, ask);
    }
    if (holder != null) {
      // Its lease is renewed no more; whoever asks first gets the key, here or elsewhere.
      keys.giveBack(key, holder);
    }
    return keys.take(key) ? null : busyHere(ask.policy().lease());
  }

  private Claimed ofHolder(Held holder, Ask ask) {
    if (holder.ask().fingerprint().conflictsWith(ask.fingerprint())) {
      return new Claimed.Answered(
          new Outcome.Conflict<>(holder.ask().fingerprint(), ask.fingerprint()));
    }
    return ask.delivery().forced() ? busyHere(Duration.ZERO) : new Claimed.HeldHere(holder);
  }

  private Claimed busyHere(Duration leaseLeft) {
    return new Claimed.Answered(new Outcome.InProgress<>(claims.owner(), leaseLeft));
  }

  /** Answers a repeat as the first was; null if it may be answered otherwise. */
  private @Nullable Claimed sameAs(Claimed answer, Ask before, Ask ask) {
    if (answer instanceof Claimed.Acquired acquired) {
      return ofHolder(acquired.held(), ask);
    }
    boolean same =
        before.policy().equals(ask.policy())
            && before.fingerprint().equals(ask.fingerprint())
            && before.delivery().issuedOnly() == ask.delivery().issuedOnly()
            && !before.delivery().forced()
            && !ask.delivery().forced();
    if (!same) {
      return null;
    }
    if (answer instanceof Claimed.Answered answered
        && answered.outcome() instanceof Outcome.Duplicate<StoredResult> done) {
      DuplicateReason reason = DuplicateReason.of(ask.delivery().origin(), done.origin());
      return new Claimed.Answered(
          new Outcome.Duplicate<>(done.value(), reason, done.origin(), done.completed()));
    }
    return answer;
  }

  private void send(List<Integer> which) {
    if (which.isEmpty()) {
      return;
    }
    StoreCalls calls = claims.calls();
    List<ClaimRequest> requests =
        which.stream().map(i -> asks.get(i).claimAhead(calls, claims.owner())).toList();
    List<StoreCalls.Answered> answered;
    try {
      answered = calls.claim(claims.store(), requests);
    } catch (StoreCorrupt e) {
      if (which.size() == 1) {
        answers[which.get(0)] = new Claimed.Unreadable(e);
      } else {
        // One unreadable record is no reason to leave its neighbours.
        which.forEach(i -> send(List.of(i)));
      }
      return;
    }
    for (int i = 0; i < requests.size(); i++) {
      Ask ask = asks.get(which.get(i));
      answers[which.get(i)] = claimed(ask, requests.get(i), answered.get(i));
    }
  }

  private Claimed claimed(Ask ask, ClaimRequest request, StoreCalls.Answered answered) {
    if (answered.answer() instanceof ClaimAnswer.Acquired acquired) {
      return new Claimed.Acquired(held(ask, request, acquired, answered.sentNanos()));
    }
    try {
      return new Claimed.Answered(
          answered
              .answer()
              .fold(new Answers<>(ask, StoredResultCodec.INSTANCE, ClaimBatch::never)));
    } catch (StoreCorrupt e) {
      return new Claimed.Unreadable(e);
    }
  }

  private static Outcome<StoredResult> never(ClaimAnswer.Acquired acquired) {
    throw new IllegalStateException("acquired, and looked at before");
  }

  private Held held(Ask ask, ClaimRequest request, ClaimAnswer.Acquired acquired, long sentNanos) {
    HeldClaim claim =
        new HeldClaim(
            claims.store(),
            request.claim(acquired.token()),
            ask.policy(),
            sentNanos,
            acquired.leaseLeft());
    LeaseGrip grip = new LeaseGrip(claim, claims.keeper(), claims.clock());
    DedupContext context = new RunContext(request.key(), acquired, grip);
    Held held = new Held(claims, ask, request, acquired, claim, context);
    claims.keys().passOn(request.key(), held);
    claims.keeper().keep(claim);
    return held;
  }

  private IdempotencyKey key(int i) {
    return asks.get(i).delivery().key();
  }

  private List<Held> acquired() {
    return Arrays.stream(answers)
        .filter(Claimed.Acquired.class::isInstance)
        .map(answer -> ((Claimed.Acquired) answer).held())
        .toList();
  }
}
