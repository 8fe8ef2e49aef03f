// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of records from another store. */
abstract class Merging extends ContractSection {

  Merging(ClaimStoreContract contract) {
    super(contract);
  }

  /** A record of another store, with something in every field that its state can have. */
  private ClaimRecord copy(State state, long token) {
    boolean byHand = state == State.ISSUED;
    return new ClaimRecord(
        state,
        byHand ? ClaimId.none() : new ClaimId(-5, 77),
        token,
        byHand ? "" : "elsewhere \u00fc",
        time.now().plus(state == State.PROCESSING || state == State.FAILED ? LEASE : Duration.ZERO),
        StartMark.NOT_RECORDED,
        true,
        4,
        new Fingerprint(Fingerprint.JSON, -9),
        origin(40),
        List.of(origin(38), origin(39)),
        state == State.SUCCEEDED ? new StoredResult("a/b", new byte[] {0, 1, -1}) : null,
        state == State.FAILED ? "boom" : null,
        time.now().minus(TTL),
        time.now().minus(MICRO),
        time.now().plus(TTL));
  }

  private ClaimRecord tombstone(long token) {
    ClaimRecord released = copy(State.RELEASED, token);
    return new ClaimRecord(
        State.RELEASED,
        ClaimId.none(),
        token,
        "",
        released.busyUntil(),
        released.start(),
        false,
        0,
        released.fingerprint(),
        released.origin(),
        released.forced(),
        null,
        "reopened by olga: again",
        released.created(),
        released.updated(),
        released.expires());
  }

  private int merge(IdempotencyKey key, ClaimRecord copy) {
    return store.merge(Map.of(key, copy));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void anAbsentKeyTakesTheCopyAsItIs(State state) {
    IdempotencyKey key = newKey();
    ClaimRecord copy = copy(state, clock() + 5);
    assertThat(merge(key, copy)).isEqualTo(1);
    assertThat(record(key)).isEqualTo(copy);
    assertThat(merge(key, copy)).isZero();
    assertThat(record(key)).isEqualTo(copy);
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void anExpiredCopyChangesNothing(State state) {
    IdempotencyKey key = newKey();
    ClaimRecord copy = copy(state, clock() + 5);
    time.advance(TTL);
    assertThat(merge(key, copy)).isZero();
    assertAbsent(key);
  }

  @Test
  void aCopyReplacesWhatHasExpired() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    time.advance(TTL);
    ClaimRecord copy = copy(State.FAILED, 5);
    assertThat(merge(key, copy)).isEqualTo(1);
    assertThat(record(key)).isEqualTo(copy);
  }

  @Test
  void aMergedClaimIsSettledByItsOwner() {
    IdempotencyKey key = newKey();
    ClaimRecord copy = copy(State.PROCESSING, clock() + 5);
    merge(key, copy);
    apply(new Claim(key, copy.claimId(), copy.token()), DONE);
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Completed.class);
  }

  @Test
  void theNextTokenExceedsAMergedOne() {
    IdempotencyKey key = newKey();
    ClaimRecord copy = copy(State.RELEASED, clock() + 1_000_000_000L);
    merge(key, copy);
    assertThat(acquired(request(key, "bert", 2).build()).token()).isEqualTo(copy.token() + 1);
  }

  @ParameterizedTest
  @EnumSource(value = State.class, mode = Mode.EXCLUDE, names = "SUCCEEDED")
  void ofTwoThatAreNotDoneTheHigherTokenWins(State state) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    assertThat(merge(key, copy(state, claim.token() - 1))).isZero();
    assertThat(merge(key, copy(state, claim.token()))).isZero();
    assertThat(record(key)).isEqualTo(before);
    ClaimRecord newer = copy(state, claim.token() + 1);
    assertThat(merge(key, newer)).isEqualTo(1);
    assertThat(record(key)).isEqualTo(newer);
    assertThat(settle(claim, DONE)).isEqualTo(fencedBy(newer));
  }

  @ParameterizedTest
  @EnumSource(value = State.class, mode = Mode.EXCLUDE, names = "SUCCEEDED")
  void whatIsDoneIsNeverReplacedByLess(State state) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    ClaimRecord done = record(key);
    assertThat(merge(key, copy(state, claim.token() - 5))).isZero();
    assertThat(record(key)).isEqualTo(done);
    assertThat(merge(key, copy(state, claim.token() + 5))).isEqualTo(1);
    assertThat(record(key)).isEqualTo(ClaimRecords.withToken(done, claim.token() + 5));
    assertThat(merge(key, copy(state, claim.token() + 5))).isZero();
  }

  @ParameterizedTest
  @EnumSource(value = State.class, mode = Mode.EXCLUDE, names = "SUCCEEDED")
  void whatIsDoneReplacesLessWhateverItsToken(State state) {
    IdempotencyKey key = newKey();
    merge(key, copy(state, clock()));
    ClaimRecord done = copy(State.SUCCEEDED, clock() - 5);
    assertThat(merge(key, done)).isEqualTo(1);
    assertThat(record(key)).isEqualTo(ClaimRecords.withToken(done, clock()));
    assertThat(merge(key, done)).isZero();
  }

  @Test
  void whatIsDoneWithALowerTokenFencesALiveClaimAndTheNextTokenExceedsBoth() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).tokenFloor(clock() + 1_000_000_000L).build();
    Claim live = request.claim(acquired(request).token());
    merge(key, copy(State.SUCCEEDED, clock() - 5));
    assertThat(settle(live, DONE)).isEqualTo(fencedBy(record(key)));
    assertThat(acquired(request(key, "bert", 2).force(true).build()).token())
        .isEqualTo(live.token() + 1);
  }

  @Test
  void ofTwoCopiesOfOneClaimTheLaterOneStays() {
    IdempotencyKey original = newKey();
    IdempotencyKey mirror = newKey();
    List<ClaimRecord> copies = new ArrayList<>();
    Claim claim = acquire(request(original, "anna", 1).start(ClaimStart.RECORDED_LATER));
    copies.add(record(original));
    apply(claim, new Settlement.Start());
    copies.add(record(original));
    time.advance(MICRO);
    apply(claim, new Settlement.Renew(LEASE, TTL));
    copies.add(record(original));
    apply(claim, DONE);
    copies.add(record(original));
    apply(claim, new Settlement.Attach(RECEIPT));
    copies.add(record(original));
    for (int i = 0; i < copies.size(); i++) {
      assertThat(merge(mirror, copies.get(i))).as("copy %s", i).isEqualTo(1);
      for (ClaimRecord earlier : copies.subList(0, i + 1)) {
        assertThat(merge(mirror, earlier)).as("an earlier one than %s", i).isZero();
      }
      assertThat(record(mirror)).isEqualTo(copies.get(i));
    }
  }

  static List<Settlement> endings() {
    return List.of(new Settlement.Fail("boom", TTL, Duration.ZERO), new Settlement.Release());
  }

  @ParameterizedTest
  @MethodSource("endings")
  void aClaimThatHasEndedReplacesItsEarlierCopyAndNotTheOtherWayRound(Settlement ending) {
    IdempotencyKey original = newKey();
    IdempotencyKey mirror = newKey();
    Claim claim = acquire(request(original, "anna", 1));
    ClaimRecord running = record(original);
    apply(claim, ending);
    merge(mirror, running);
    assertThat(merge(mirror, record(original))).isEqualTo(1);
    assertThat(merge(mirror, running)).isZero();
    assertThat(record(mirror)).isEqualTo(record(original));
  }

  @Test
  void aTombstoneUndoesWhatIsDoneIfItsTokenIsHigher() {
    IdempotencyKey key = newKey();
    ClaimRecord done = copy(State.SUCCEEDED, clock());
    merge(key, done);
    assertThat(merge(key, tombstone(clock() - 1))).isZero();
    assertThat(merge(key, tombstone(clock()))).isZero();
    assertThat(record(key)).isEqualTo(done);
    assertThat(merge(key, tombstone(clock() + 1))).isEqualTo(1);
    assertThat(record(key)).isEqualTo(tombstone(clock() + 1));
  }

  @Test
  void aTombstoneWithstandsWhatWasDoneBeforeIt() {
    IdempotencyKey key = newKey();
    merge(key, tombstone(clock()));
    assertThat(merge(key, copy(State.SUCCEEDED, clock() - 1))).isZero();
    assertThat(record(key)).isEqualTo(tombstone(clock()));
    assertThat(merge(key, copy(State.SUCCEEDED, clock() + 1))).isEqualTo(1);
    assertThat(record(key).state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void ofTwoThatAreDoneTheHigherTokenWinsAndTheLaterExpiryStays() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, new Settlement.Complete(null, TTL.multipliedBy(3)));
    ClaimRecord longer = record(key);
    ClaimRecord newer = copy(State.SUCCEEDED, claim.token() + 1);
    assertThat(merge(key, newer)).isEqualTo(1);
    assertThat(record(key).token()).isEqualTo(newer.token());
    assertThat(record(key).result()).isEqualTo(newer.result());
    assertThat(record(key).expires()).isEqualTo(longer.expires());
  }

  @Test
  void anOlderCopyOfWhatIsDoneOnlyExtendsIt() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, new Settlement.Complete(null, LEASE));
    ClaimRecord older = copy(State.SUCCEEDED, claim.token() - 1);
    assertThat(merge(key, older)).isEqualTo(1);
    assertThat(record(key).token()).isEqualTo(claim.token());
    assertThat(record(key).result()).isNull();
    assertThat(record(key).expires()).isEqualTo(older.expires());
    assertThat(merge(key, older)).isZero();
  }

  @Test
  void manyCopiesAreMergedAndTheChangedOnesCounted() {
    assertThat(store.merge(Map.of())).isZero();
    Map<IdempotencyKey, ClaimRecord> copies = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      for (State state : State.values()) {
        copies.put(newKey(), copy(state, clock() + i));
      }
    }
    IdempotencyKey done = newKey();
    apply(acquire(request(done, "anna", 1)), DONE);
    copies.put(done, copy(State.PROCESSING, clock() - 5));
    assertThat(store.merge(copies)).isEqualTo(100);
    assertThat(store.merge(copies)).isZero();
  }

  @Test
  void aMergedTakeoverKeepsItsHistory() {
    IdempotencyKey key = newKey();
    merge(key, copy(State.PROCESSING, clock()));
    afterLease();
    assertThat(claim(request(key, "bert", 2).fingerprint(Fingerprint.none())))
        .isEqualTo(new Acquired(clock(), 5, true, LEASE));
  }
}
