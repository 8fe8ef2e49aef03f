// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store, and remembers what a process has to remember about it: its time, the largest
 * fencing token, and the claims whose answers were lost. Thread-safe.
 */
final class StoreCalls {

  /**
   * A claim that comes too late is sent again with a better estimate; twice is plenty, more is
   * trouble.
   */
  private static final int CLAIM_TRIES = 3;

  private static final int UNUSED_MAX = 10_000;

  private final ProcessClock clock;
  private final StoreTimeEstimate storeTime;
  private final Duration commandTimeout;
  private final Listeners listeners;

  /**
   * More than any token seen. Where a store has lost a record and its clock has stepped back, this
   * alone keeps the key's tokens growing.
   */
  private final AtomicLong tokenFloor = new AtomicLong();

  /**
   * Claims that may hold their keys, and under which nothing ran: those that were sent and not
   * answered, above all. The next claim for the same delivery uses the same id, and so gets its own
   * claim back instead of waiting for itself.
   */
  private final Cache<Asked, ClaimId> unused =
      Caffeine.newBuilder().maximumSize(UNUSED_MAX).build();

  StoreCalls(ProcessClock clock, Duration commandTimeout, Listeners listeners) {
    this.clock = clock;
    this.storeTime = new StoreTimeEstimate(clock);
    this.commandTimeout = commandTimeout;
    this.listeners = listeners;
  }

  /**
   * A claim's answer.
   *
   * @param answer what the store said
   * @param sentNanos before the request was sent that it said this to, by the process's monotonic
   *     clock
   */
  record Answered(ClaimAnswer answer, long sentNanos) {}

  /**
   * Returns the request to send: with the token to exceed, and the id of its claim if there is one
   * already.
   */
  ClaimRequest prepared(ClaimRequest.Builder builder) {
    ClaimRequest fresh = builder.tokenFloor(tokenFloor.get()).build();
    ClaimId before = unused.getIfPresent(Asked.by(fresh));
    return before == null ? fresh : builder.claimId(before).build();
  }

  /**
   * Nothing ran under this claim, and it cannot be given back: the next call for the delivery goes
   * on with it.
   */
  void keepUnused(ClaimRequest request) {
    unused.put(Asked.by(request), request.claimId());
  }

  /**
   * Sends a claim, and again if its answer was lost or it came too late.
   *
   * @throws StoreException if there is still no answer
   */
  Answered claim(ClaimStore store, ClaimRequest request) {
    return claim(store, List.of(request)).get(0);
  }

  /**
   * Sends claims of different keys in one exchange, and again those whose answers were lost or that
   * came too late.
   *
   * @throws StoreException if there is still no answer to one of them
   */
  List<Answered> claim(ClaimStore store, List<ClaimRequest> requests) {
    requests.forEach(this::keepUnused);
    Map<ClaimRequest, Answered> answers = new HashMap<>();
    List<ClaimRequest> open = requests;
    for (int i = 0; i < CLAIM_TRIES && !open.isEmpty(); i++) {
      List<ClaimRequest> late = new ArrayList<>();
      List<Answered> answered = claimOnce(store, open);
      for (int j = 0; j < open.size(); j++) {
        ClaimRequest request = open.get(j);
        if (answered.get(j).answer() instanceof ClaimAnswer.RequestExpired) {
          late.add(request);
        } else {
          unused.invalidate(Asked.by(request));
          answers.put(request, answered.get(j));
        }
      }
      open = late;
    }
    if (!open.isEmpty()) {
      throw new StoreUnavailable(
          "each of "
              + CLAIM_TRIES
              + " claims came too late: the store's clock runs ahead, or"
              + " answers take longer than the command time-out of "
              + commandTimeout,
          null);
    }
    return requests.stream().map(r -> Objects.requireNonNull(answers.get(r))).toList();
  }

  private List<Answered> claimOnce(ClaimStore store, List<ClaimRequest> requests) {
    if (!storeTime.isKnown()) {
      exchange("time", store, List.of(), List.of());
    }
    List<ClaimRequest> timed =
        requests.stream().map(r -> r.withNotAfter(notAfter(r.lease()))).toList();
    long sent = clock.nanoTime();
    Exchange exchange;
    try {
      exchange = exchange("claim", store, List.of(), timed);
    } catch (StoreUnavailable e) {
      sent = clock.nanoTime();
      exchange = exchange("claim", store, List.of(), timed);
    }
    List<Answered> answers = new ArrayList<>();
    for (ClaimAnswer answer : exchange.claimed()) {
      if (answer instanceof ClaimAnswer.Acquired acquired) {
        tokenFloor.accumulateAndGet(acquired.token() + 1, Math::max);
      }
      answers.add(new Answered(answer, sent));
    }
    return answers;
  }

  /**
   * Sends settlements of different keys.
   *
   * @throws StoreException if there is no answer
   */
  List<SettleAnswer> settle(ClaimStore store, List<SettleRequest> requests) {
    return exchange("settle", store, requests, List.of()).settled();
  }

  /** Sends one settlement, and once more if its answer was lost. */
  SettleAnswer settle(ClaimStore store, SettleRequest request) {
    return settleTimed(store, List.of(request)).settled().get(0);
  }

  /**
   * Sends settlements of different keys, and once more if the answer was lost. What is answered
   * bears the time at which they were stored.
   */
  Exchange settleTimed(ClaimStore store, List<SettleRequest> requests) {
    try {
      return exchange("settle", store, requests, List.of());
    } catch (StoreUnavailable e) {
      return exchange("settle", store, requests, List.of());
    }
  }

  private Exchange exchange(
      String verb, ClaimStore store, List<SettleRequest> settlements, List<ClaimRequest> claims) {
    try {
      Exchange exchange = send(store, settlements, claims);
      if (exchange.settled().size() != settlements.size()
          || exchange.claimed().size() != claims.size()) {
        throw new StoreCorrupt(
            "answers: were "
                + exchange.settled().size()
                + " and "
                + exchange.claimed().size()
                + ", must be "
                + settlements.size()
                + " and "
                + claims.size());
      }
      storeTime.answered(exchange.storeTime());
      return exchange;
    } catch (StoreException e) {
      listeners.tell(new DedupEvent.StoreFailed(verb, e));
      throw e;
    }
  }

  /**
   * Whatever a store throws or returns that it must not is trouble with the store, and nobody
   * else's.
   */
  private static Exchange send(
      ClaimStore store, List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Exchange exchange;
    try {
      exchange = store.exchange(settlements, claims);
    } catch (StoreException | TransactionConflict e) {
      throw e;
    } catch (RuntimeException e) {
      throw new StoreUnavailable("the store broke its contract with " + e.getClass().getName(), e);
    }
    if (exchange == null) {
      throw new StoreCorrupt("answer: was null, must be an exchange");
    }
    return exchange;
  }

  private @Nullable Instant notAfter(Duration lease) {
    Instant now = storeTime.now();
    return now == null ? null : now.plus(commandTimeout).plus(lease);
  }

  /** Returns the store's time, null as long as it is not known. */
  @Nullable Instant knownStoreTime() {
    return storeTime.now();
  }

  /** Returns the store's time as far as it is known, else the wall clock's: for people. */
  Instant storeTime() {
    Instant now = storeTime.now();
    return now == null ? clock.now() : now;
  }

  Duration commandTimeout() {
    return commandTimeout;
  }

  ProcessClock clock() {
    return clock;
  }

  /**
   * For which delivery a claim was made. A record keeps what the first request of its claim id
   * said: were the claim used for another message with the same key, that message's effect would be
   * taken for the first one's.
   */
  private record Asked(
      IdempotencyKey key,
      Fingerprint fingerprint,
      Origin origin,
      boolean requireIssued,
      boolean force) {

    static Asked by(ClaimRequest request) {
      return new Asked(
          request.key(),
          request.fingerprint(),
          request.origin(),
          request.requireIssued(),
          request.force());
    }
  }
}
