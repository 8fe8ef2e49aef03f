// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Origin;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handing out keys. */
abstract class Issuing extends ContractSection {

  Issuing(ClaimStoreContract contract) {
    super(contract);
  }

  static List<Settlement> ends() {
    return List.of(DONE, new Settlement.Fail("boom", TTL, Duration.ZERO), new Settlement.Release());
  }

  @Test
  void anAbsentKeyIsIssued() {
    IdempotencyKey key = newKey();
    assertThat(store.issue(key, TTL)).isTrue();
    assertThat(record(key))
        .isEqualTo(
            new ClaimRecord(
                State.ISSUED,
                ClaimId.none(),
                clock(),
                "",
                time.now(),
                StartMark.NOT_RECORDED,
                false,
                0,
                Fingerprint.none(),
                Origin.none(),
                List.of(),
                null,
                null,
                time.now(),
                time.now(),
                time.now().plus(TTL)));
  }

  @Test
  void anIssuedKeyStaysAsItIs() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    ClaimRecord issued = record(key);
    time.advance(Duration.ofMinutes(1));
    assertThat(store.issue(key, TTL.multipliedBy(2))).isTrue();
    assertThat(record(key)).isEqualTo(issued);
  }

  @Test
  void aKeyThatIsClaimedIsNotIssued() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    ClaimRecord claimed = record(key);
    assertThat(store.issue(key, TTL)).isFalse();
    afterLease();
    assertThat(store.issue(key, TTL)).isFalse();
    assertThat(record(key)).isEqualTo(claimed);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aKeyThatIsSettledIsNotIssued(Settlement end) {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), end);
    ClaimRecord settled = record(key);
    assertThat(store.issue(key, TTL.multipliedBy(2))).isFalse();
    assertThat(record(key)).isEqualTo(settled);
  }

  @Test
  void anExpiredKeyIsIssuedAnewWithAHigherToken() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    time.advance(TTL);
    assertThat(store.issue(key, TTL)).isTrue();
    ClaimRecord issued = record(key);
    assertThat(issued.state()).isEqualTo(State.ISSUED);
    assertThat(issued.token()).isGreaterThan(claim.token());
    assertThat(issued.created()).isEqualTo(time.now());
    assertThat(settle(claim, DONE)).isEqualTo(fencedBy(issued));
  }

  @Test
  void theFirstClaimExceedsTheIssuesToken() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    long issued = record(key).token();
    assertThat(acquire(request(key, "anna", 1)).token()).isGreaterThan(issued);
  }

  @Test
  void aTtlBelowAMillisecondIsRefused() {
    IdempotencyKey key = newKey();
    assertThatIllegalArgumentException().isThrownBy(() -> tested.issue(key, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tested.issue(key, Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> tested.issue(key, Duration.ofNanos(1)));
    assertAbsent(key);
  }
}
