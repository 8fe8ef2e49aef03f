// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store, and remembers what a process has to remember about it: its time, the largest fencing token, and the
 * claims whose answers were lost. Thread-safe.
 */
final class StoreCalls {

  /** A claim that comes too late is sent again with a better estimate; twice is plenty, more is trouble. */
  private static final int CLAIM_TRIES = 3;

  private static final int UNANSWERED_MAX = 10_000;

  private final ProcessClock clock;
  private final StoreTimeEstimate storeTime;
  private final Duration commandTimeout;
  private final Listeners listeners;
  private final AtomicLong tokenFloor = new AtomicLong();

  /**
   * Claims that were sent and not answered may hold their keys. The next claim of such a key uses the same id, and so
   * gets its own claim back instead of waiting for itself.
   */
  private final Cache<IdempotencyKey, ClaimId> unanswered =
      Caffeine.newBuilder().maximumSize(UNANSWERED_MAX).build();

  StoreCalls(ProcessClock clock, Duration commandTimeout, Listeners listeners) {
    this.clock = clock;
    this.storeTime = new StoreTimeEstimate(clock);
    this.commandTimeout = commandTimeout;
    this.listeners = listeners;
  }

  /** Returns the builder of a claim, with the id to use and the token to exceed. */
  ClaimRequest.Builder request(IdempotencyKey key, String owner, Duration lease, Duration ttl) {
    ClaimId lost = unanswered.getIfPresent(key);
    return ClaimRequest.builder(key, owner, lease, ttl)
        .claimId(lost == null ? ClaimId.next() : lost)
        .tokenFloor(tokenFloor.get());
  }

  /**
   * Sends a claim, and again if its answer was lost or it came too late.
   *
   * @throws StoreException if there is still no answer
   */
  ClaimAnswer claim(ClaimStore store, ClaimRequest request) {
    unanswered.put(request.key(), request.claimId());
    for (int i = 0; i < CLAIM_TRIES; i++) {
      ClaimAnswer answer = claimOnce(store, request);
      if (!(answer instanceof ClaimAnswer.RequestExpired)) {
        unanswered.invalidate(request.key());
        return answer;
      }
    }
    throw new StoreUnavailable(
        "each of " + CLAIM_TRIES + " claims came too late: the store's clock runs ahead, or"
            + " answers take longer than the command time-out of " + commandTimeout, null);
  }

  private ClaimAnswer claimOnce(ClaimStore store, ClaimRequest request) {
    if (!storeTime.isKnown()) {
      exchange("time", store, List.of(), List.of());
    }
    List<ClaimRequest> timed = List.of(request.withNotAfter(notAfter(request.lease())));
    Exchange exchange;
    try {
      exchange = exchange("claim", store, List.of(), timed);
    } catch (StoreUnavailable e) {
      exchange = exchange("claim", store, List.of(), timed);
    }
    ClaimAnswer answer = exchange.claimed().get(0);
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      tokenFloor.accumulateAndGet(acquired.token(), Math::max);
    }
    return answer;
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
    try {
      return settle(store, List.of(request)).get(0);
    } catch (StoreUnavailable e) {
      return settle(store, List.of(request)).get(0);
    }
  }

  private Exchange exchange(
      String verb, ClaimStore store, List<SettleRequest> settlements, List<ClaimRequest> claims) {
    try {
      Exchange exchange = store.exchange(settlements, claims);
      if (exchange.settled().size() != settlements.size()
          || exchange.claimed().size() != claims.size()) {
        throw new StoreCorrupt(
            "answers: were " + exchange.settled().size() + " and " + exchange.claimed().size()
                + ", must be " + settlements.size() + " and " + claims.size());
      }
      storeTime.answered(exchange.storeTime());
      return exchange;
    } catch (StoreException e) {
      listeners.tell(new DedupEvent.StoreFailed(verb, e));
      throw e;
    }
  }

  private @Nullable Instant notAfter(Duration lease) {
    Instant now = storeTime.now();
    return now == null ? null : now.plus(commandTimeout).plus(lease);
  }

  ProcessClock clock() {
    return clock;
  }
}
