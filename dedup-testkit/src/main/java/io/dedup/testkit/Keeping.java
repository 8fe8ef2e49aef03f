// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreStats;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long records are kept: extending, purging, counting. */
abstract class Keeping extends ContractSection {

  private static final Duration LONGER = TTL.multipliedBy(4);

  Keeping(ClaimStoreContract contract) {
    super(contract);
  }

  private IdempotencyKey done() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    return key;
  }

  @Test
  void aDoneKeyIsExtendedFromItsCompletionOn() {
    IdempotencyKey key = done();
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(30));
    assertThat(store.extend(List.of(key), LONGER)).isEqualTo(1);
    assertThat(record(key).expires()).isEqualTo(before.updated().plus(LONGER));
    assertThat(record(key).updated()).isEqualTo(before.updated());
    assertThat(store.extend(List.of(key), LONGER)).isZero();
    time.advance(LONGER.minusMinutes(30).minus(MICRO));
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Completed.class);
  }

  @Test
  void aDoneKeyIsNeverShortened() {
    IdempotencyKey key = done();
    ClaimRecord before = record(key);
    assertThat(store.extend(List.of(key), LEASE)).isZero();
    assertThat(store.extend(List.of(key), TTL)).isZero();
    assertThat(record(key)).isEqualTo(before);
  }

  @Test
  void onlyDoneKeysAreExtended() {
    IdempotencyKey held = newKey();
    acquire(request(held, "anna", 1));
    IdempotencyKey failed = newKey();
    apply(acquire(request(failed, "anna", 1)), new Settlement.Fail("boom", TTL, Duration.ZERO));
    IdempotencyKey released = newKey();
    apply(acquire(request(released, "anna", 1)), new Settlement.Release());
    IdempotencyKey issued = newKey();
    store.issue(issued, TTL);
    IdempotencyKey expired = newKey();
    apply(acquire(request(expired, "anna", 1)), new Settlement.Complete(null, LEASE));
    afterLease();
    List<IdempotencyKey> all = List.of(held, failed, released, issued, expired, newKey(), done());
    assertThat(store.extend(all, LONGER)).isEqualTo(1);
    assertAbsent(expired);
  }

  @Test
  void aWholeScopeIsExtendedAndNoOther() {
    List<IdempotencyKey> inside = new ArrayList<>();
    for (String id : List.of("a", "b/c", "b:c", "x".repeat(700), "*")) {
      inside.add(IdempotencyKey.of(scope, id));
    }
    List<IdempotencyKey> outside = new ArrayList<>();
    for (String tail : List.of("/", "*", "0", "\0", ":a", "/a")) {
      outside.add(IdempotencyKey.of(scope + tail, "a"));
    }
    outside.add(IdempotencyKey.of(scope.substring(0, scope.length() - 1), "a"));
    outside.add(IdempotencyKey.of("x" + scope, "a"));
    inside.forEach(key -> apply(acquire(request(key, "anna", 1)), DONE));
    outside.forEach(key -> apply(acquire(request(key, "anna", 1)), DONE));
    acquire(request(IdempotencyKey.of(scope, "held"), "anna", 1));
    assertThat(store.extendScope(scope, LONGER)).isEqualTo(inside.size());
    inside.forEach(key -> assertThat(record(key).expires()).isEqualTo(time.now().plus(LONGER)));
    outside.forEach(key -> assertThat(record(key).expires()).isEqualTo(time.now().plus(TTL)));
    assertThat(store.extendScope(scope, LONGER)).isZero();
  }

  @Test
  void aScopeOfManyKeysIsExtended() {
    List<IdempotencyKey> keys = IntStream.range(0, 300).mapToObj(i -> newKey()).toList();
    store.claim(keys.stream().map(key -> request(key, "anna", 1).build()).toList()).claimed();
    store.settle(
        keys.stream()
            .map(
                key ->
                    new SettleRequest(
                        new Claim(key, record(key).claimId(), record(key).token()), DONE))
            .toList());
    assertThat(store.extendScope(scope, LONGER)).isEqualTo(300);
  }

  @Test
  void aTtlOfZeroExtendsNothing() {
    IdempotencyKey key = done();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tested.extend(List.of(key), Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> tested.extendScope(scope, Duration.ZERO));
    assertThat(store.extend(List.of(), LONGER)).isZero();
  }

  @Test
  void purgingRemovesNothingThatIsNotExpired() {
    IdempotencyKey issued = newKey();
    store.issue(issued, TTL);
    IdempotencyKey held = newKey();
    acquire(request(held, "anna", 1));
    IdempotencyKey failed = newKey();
    apply(acquire(request(failed, "anna", 1)), new Settlement.Fail("boom", TTL, LEASE));
    IdempotencyKey released = newKey();
    apply(acquire(request(released, "anna", 1)), new Settlement.Release());
    IdempotencyKey done = done();
    time.advance(TTL.minus(MICRO));
    store.purgeExpired(1_000_000);
    List.of(issued, held, failed, released, done).forEach(this::record);
  }

  @Test
  void purgingNeverRemovesAKeyWhoseLeaseIsLive() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, new Settlement.Renew(LONGER, LONGER));
    time.advance(LONGER.minus(MICRO));
    store.purgeExpired(1_000_000);
    apply(claim, DONE);
  }

  @Test
  void purgingRemovesAtMostAsManyAsItMay() {
    List<IdempotencyKey> expired = IntStream.range(0, 5).mapToObj(i -> done()).toList();
    time.advance(TTL);
    IdempotencyKey live = done();
    StoreStats before = store.stats();
    int purged = store.purgeExpired(2);
    assertThat(store.stats().expired()).isLessThanOrEqualTo(before.expired() - purged);
    assertThat(store.stats().live()).isEqualTo(before.live());
    store.purgeExpired(1_000_000);
    expired.forEach(this::assertAbsent);
    record(live);
    expired.forEach(key -> acquire(request(key, "bert", 2)));
  }

  @Test
  void purgingAsksForALimitAboveZero() {
    assertThatIllegalArgumentException().isThrownBy(() -> tested.purgeExpired(0));
    assertThatIllegalArgumentException().isThrownBy(() -> tested.purgeExpired(-1));
  }

  @Test
  void recordsAreCountedByState() {
    StoreStats before = store.stats();
    for (int i = 0; i < 2; i++) {
      acquire(request(newKey(), "anna", 1));
    }
    for (int i = 0; i < 3; i++) {
      done();
    }
    for (int i = 0; i < 4; i++) {
      apply(acquire(request(newKey(), "anna", 1)), new Settlement.Fail("x", TTL, LEASE));
    }
    for (int i = 0; i < 5; i++) {
      apply(acquire(request(newKey(), "anna", 1)), new Settlement.Release());
    }
    for (int i = 0; i < 6; i++) {
      store.issue(newKey(), TTL);
    }
    StoreStats after = store.stats();
    assertThat(after.processing() - before.processing()).isEqualTo(2);
    assertThat(after.succeeded() - before.succeeded()).isEqualTo(3);
    assertThat(after.failed() - before.failed()).isEqualTo(4);
    assertThat(after.released() - before.released()).isEqualTo(5);
    assertThat(after.issued() - before.issued()).isEqualTo(6);
    assertThat(after.expired()).isEqualTo(before.expired());
  }

  @Test
  void expiredRecordsAreNotCountedAsLive() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), new Settlement.Complete(null, LEASE));
    afterLease();
    StoreStats expired = store.stats();
    acquire(request(key, "bert", 2));
    StoreStats live = store.stats();
    assertThat(live.live()).isEqualTo(expired.live() + 1);
    assertThat(live.processing()).isEqualTo(expired.processing() + 1);
  }
}
