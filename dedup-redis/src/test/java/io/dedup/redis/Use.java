// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Short words for what tests do to a store. */
final class Use {

  static final Duration LEASE = Duration.ofMinutes(10);
  static final Duration TTL = Duration.ofDays(7);
  static final Settlement DONE = new Settlement.Complete(null, TTL);
  static final SettleAnswer APPLIED = new SettleAnswer.Applied();

  private Use() {}

  static IdempotencyKey newKey() {
    return IdempotencyKey.of("orders", UUID.randomUUID().toString());
  }

  static List<IdempotencyKey> newKeys(int count) {
    return IntStream.range(0, count).mapToObj(i -> newKey()).toList();
  }

  static ClaimRequest request(IdempotencyKey key) {
    return ClaimRequest.builder(key, "consumer-1", LEASE, TTL)
        .fingerprint(Fingerprint.raw(key.id().getBytes(StandardCharsets.UTF_8)))
        .origin(Origin.kafka("cluster", "orders", 3, 17, 5))
        .build();
  }

  static ClaimAnswer claim(ClaimStore store, IdempotencyKey key) {
    return claim(store, request(key));
  }

  static ClaimAnswer claim(ClaimStore store, ClaimRequest request) {
    return store.claim(List.of(request)).claimed().get(0);
  }

  static Claim acquire(ClaimStore store, IdempotencyKey key) {
    ClaimRequest request = request(key);
    ClaimAnswer answer = claim(store, request);
    assertThat(answer).isInstanceOf(ClaimAnswer.Acquired.class);
    return request.claim(((ClaimAnswer.Acquired) answer).token());
  }

  static SettleAnswer settle(ClaimStore store, Claim claim, Settlement settlement) {
    return store.settle(List.of(new SettleRequest(claim, settlement))).settled().get(0);
  }

  /** Claims and completes. */
  static Claim complete(ClaimStore store, IdempotencyKey key) {
    Claim claim = acquire(store, key);
    assertThat(settle(store, claim, DONE)).isEqualTo(APPLIED);
    return claim;
  }

  static void assertDone(ClaimStore store, IdempotencyKey key) {
    assertThat(claim(store, key)).isInstanceOf(ClaimAnswer.Completed.class);
  }

  static void assertAcquired(ClaimStore store, IdempotencyKey key) {
    assertThat(claim(store, key)).isInstanceOf(ClaimAnswer.Acquired.class);
  }
}
