// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimAnswer.RequestExpired;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The store by its own clock, as it is in production. Its clock and this machine's may differ by a
 * minute.
 */
abstract class RealClock extends ContractSection {

  private static final TemporalUnitWithinOffset ABOUT =
      new TemporalUnitWithinOffset(60, ChronoUnit.SECONDS);

  private ClaimStore real;

  RealClock(ClaimStoreContract contract) {
    super(contract);
  }

  @BeforeEach
  void openStoreByItsOwnClock() {
    real = storeByItsOwnClock();
  }

  private static Instant jvmTime() {
    return ProcessClock.system().now();
  }

  @Test
  void aKeyIsClaimedCompletedAndFoundDone() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    Acquired acquired = (Acquired) real.claim(List.of(request)).claimed().get(0);
    assertThat(acquired.leaseLeft()).isPositive().isLessThanOrEqualTo(LEASE);
    InProgress busy =
        (InProgress) real.claim(List.of(request(key, "bert", 2).build())).claimed().get(0);
    assertThat(busy.leaseLeft()).isPositive().isLessThanOrEqualTo(LEASE);
    Claim claim = request.claim(acquired.token());
    assertThat(real.settle(List.of(new SettleRequest(claim, DONE))).settled())
        .containsExactly(APPLIED);
    Completed done =
        (Completed) real.claim(List.of(request(key, "bert", 2).build())).claimed().get(0);
    assertThat(done.completed()).isCloseTo(jvmTime(), ABOUT);
    assertThat(done.expires()).isEqualTo(done.completed().plus(TTL));
    assertThat(done.token()).isEqualTo(acquired.token());
  }

  @Test
  void theTimesOfARecordAreTheStores() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    long token = ((Acquired) real.claim(List.of(request)).claimed().get(0)).token();
    assertThat(Instant.EPOCH.plus(token, ChronoUnit.MICROS)).isCloseTo(jvmTime(), ABOUT);
    ClaimRecord record = real.find(key).orElseThrow();
    assertThat(record.state()).isEqualTo(State.PROCESSING);
    assertThat(record.created()).isCloseTo(jvmTime(), ABOUT).isEqualTo(record.updated());
    assertThat(record.busyUntil()).isEqualTo(record.created().plus(LEASE));
    assertThat(record.expires()).isEqualTo(record.busyUntil().plus(TTL));
    assertThat(record.created()).isEqualTo(record.created().truncatedTo(ChronoUnit.MICROS));
  }

  @Test
  void everyAnswerCarriesTheStoresTime() {
    ClaimRequest request = request(newKey(), "anna", 1).build();
    Exchange answers = real.claim(List.of(request));
    assertThat(answers.storeTime()).isCloseTo(jvmTime(), ABOUT);
    assertThat(real.exchange(List.of(), List.of()).storeTime()).isCloseTo(jvmTime(), ABOUT);
  }

  @Test
  void theTimeOfOneAnswerLimitsTheNextRequest() {
    Instant seen = real.exchange(List.of(), List.of()).storeTime();
    ClaimRequest live = request(newKey(), "anna", 1).notAfter(seen.plus(LEASE)).build();
    ClaimRequest late = request(newKey(), "anna", 1).notAfter(seen.minus(LEASE)).build();
    assertThat(real.claim(List.of(live, late)).claimed())
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(Acquired.class),
            second -> assertThat(second).isEqualTo(new RequestExpired()));
  }

  @Test
  void coldVerbsGoByTheStoresClockToo() {
    IdempotencyKey key = newKey();
    assertThat(real.issue(key, TTL)).isTrue();
    assertThat(real.find(key).orElseThrow().created()).isCloseTo(jvmTime(), ABOUT);
    assertThat(real.reopen(key, "olga", "by mistake")).isEqualTo(APPLIED);
    assertThat(real.find(key).orElseThrow().updated()).isCloseTo(jvmTime(), ABOUT);
    assertThat(real.purgeExpired(1)).isBetween(0, 1);
    assertThat(real.forget(key)).isTrue();
  }
}
