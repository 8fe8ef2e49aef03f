// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreTime;
import io.dedup.key.IdempotencyKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers from memory what it has once seen done. */
final class RememberingStore extends AlteredStore {

  private final Map<IdempotencyKey, ClaimAnswer> done = new ConcurrentHashMap<>();

  RememberingStore(StoreTime time) {
    super(time);
  }

  private RememberingStore(ClaimStore data) {
    super(data);
  }

  RememberingStore anotherProcess() {
    return new RememberingStore(sound);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Exchange answers = super.exchange(settlements, claims);
    List<ClaimAnswer> claimed =
        claims.stream()
            .map(claim -> remember(claim.key(), answers.claimed().get(claims.indexOf(claim))))
            .toList();
    return new Exchange(answers.storeTime(), answers.settled(), claimed);
  }

  private ClaimAnswer remember(IdempotencyKey key, ClaimAnswer answer) {
    if (answer instanceof ClaimAnswer.Completed) {
      done.put(key, answer);
    }
    return done.getOrDefault(key, answer);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    done.remove(key);
    return super.forget(key);
  }
}
