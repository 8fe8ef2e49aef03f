// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Pairs on a store of ours: an exchange of claims, then one of completions.
 *
 * @param store the store
 * @param onClose closes its connections
 */
record StorePairs(ClaimStore store, Runnable onClose) implements Pairs {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final String SCOPE = "group:topic";
  private static final String OWNER = "benchmark";

  @Override
  public void claimAndComplete(List<String> ids) {
    settle(claim(ids));
  }

  /** Claims ids. Returns their completions, to be sent. */
  List<SettleRequest> claim(List<String> ids) {
    return exchange(List.of(), ids);
  }

  void settle(List<SettleRequest> completions) {
    check(store.settle(completions));
  }

  /** Sends completions and claims ids in one exchange. Returns the completions of those. */
  List<SettleRequest> exchange(List<SettleRequest> completions, List<String> ids) {
    List<ClaimRequest> claims =
        ids.stream()
            .map(
                id ->
                    ClaimRequest.builder(IdempotencyKey.of(SCOPE, id), OWNER, LEASE, Course.TTL)
                        .build())
            .toList();
    Exchange exchange = store.exchange(completions, claims);
    check(exchange);
    List<SettleRequest> next = new ArrayList<>(ids.size());
    for (int i = 0; i < claims.size(); i++) {
      if (!(exchange.claimed().get(i) instanceof ClaimAnswer.Acquired acquired)) {
        throw new IllegalStateException("not acquired: " + exchange.claimed().get(i));
      }
      next.add(
          new SettleRequest(
              claims.get(i).claim(acquired.token()), new Settlement.Complete(null, Course.TTL)));
    }
    return next;
  }

  private static void check(Exchange exchange) {
    for (SettleAnswer answer : exchange.settled()) {
      if (!(answer instanceof SettleAnswer.Applied)) {
        throw new IllegalStateException("not completed: " + answer);
      }
    }
  }

  @Override
  public void close() {
    onClose.run();
  }
}
