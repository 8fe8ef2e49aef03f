// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimAnswer.NotIssued;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches: the order of answers, a key settled before it is claimed, no key twice, any size. */
abstract class BatchesInOrder extends ContractSection {

  BatchesInOrder(ClaimStoreContract contract) {
    super(contract);
  }

  @Test
  void anEmptyBatchAnswersTheStoresTime() {
    time.advance(Duration.ofDays(3));
    assertThat(store.exchange(List.of(), List.of()))
        .isEqualTo(new Exchange(time.now(), List.of(), List.of()));
  }

  @Test
  void everyAnswerCarriesTheStoresTime() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    time.advance(MICRO);
    Exchange claimed = store.claim(List.of(request));
    assertThat(claimed.storeTime()).isEqualTo(time.now());
    time.advance(Duration.ofDays(2000));
    Claim claim = request.claim(((Acquired) claimed.claimed().get(0)).token());
    assertThat(store.settle(List.of(new SettleRequest(claim, DONE))).storeTime())
        .isEqualTo(time.now());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 500})
  void aBatchOfAnySizeIsClaimedAndSettled(int size) {
    List<IdempotencyKey> keys = newKeys(size);
    List<SettleRequest> completions = new ArrayList<>();
    for (ClaimRequest request : requests(keys)) {
      completions.add(new SettleRequest(request.claim(clock()), DONE));
    }
    assertThat(store.claim(claimsOf(completions, keys)).claimed())
        .containsOnly(new Acquired(clock(), 1, false, LEASE))
        .hasSize(size);
    assertThat(store.settle(completions).settled()).containsOnly(APPLIED).hasSize(size);
    assertThat(store.claim(requests(keys)).claimed())
        .hasSize(size)
        .allSatisfy(answer -> assertThat(answer).isInstanceOf(Completed.class));
  }

  /** Requests with the claim ids of these completions. */
  private List<ClaimRequest> claimsOf(List<SettleRequest> completions, List<IdempotencyKey> keys) {
    return IntStream.range(0, keys.size())
        .mapToObj(
            i -> request(keys.get(i), "anna", i).claimId(completions.get(i).claim().id()).build())
        .toList();
  }

  private List<ClaimRequest> requests(List<IdempotencyKey> keys) {
    return keys.stream().map(key -> request(key, "anna", 1).build()).toList();
  }

  private List<IdempotencyKey> newKeys(int size) {
    return IntStream.range(0, size).mapToObj(i -> newKey()).toList();
  }

  @Test
  void claimsAreAnsweredInTheOrderOfTheRequests() {
    IdempotencyKey done = newKey();
    IdempotencyKey held = newKey();
    IdempotencyKey another = newKey();
    IdempotencyKey absent = newKey();
    IdempotencyKey unissued = newKey();
    Claim first = acquire(request(done, "anna", 1));
    apply(first, DONE);
    acquire(request(held, "bert", 2));
    acquire(request(another, "carl", 3));
    Completed completed =
        new Completed(null, origin(1), first.token(), time.now(), time.now().plus(TTL));
    List<ClaimRequest> claims =
        List.of(
            request(unissued, "dora", 9).requireIssued(true).build(),
            request(held, "dora", 9).build(),
            request(done, "dora", 9).build(),
            request(another, "dora", 9).fingerprint(OTHER_ORDER).build(),
            request(absent, "dora", 9).build());
    List<ClaimAnswer> answers =
        List.of(
            new NotIssued(),
            new InProgress("bert", LEASE, origin(2)),
            completed,
            new Conflict(ORDER),
            new Acquired(clock(), 1, false, LEASE));
    assertThat(store.claim(claims).claimed()).isEqualTo(answers);
    List<ClaimRequest> backwards = new ArrayList<>(claims.subList(0, 4));
    Collections.reverse(backwards);
    List<ClaimAnswer> expected = new ArrayList<>(answers.subList(0, 4));
    Collections.reverse(expected);
    assertThat(store.claim(backwards).claimed()).isEqualTo(expected);
  }

  @Test
  void settlementsAreAnsweredInTheOrderOfTheRequests() {
    List<SettleRequest> requests = new ArrayList<>();
    List<SettleAnswer> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Claim claim = acquire(request(newKey(), "owner-" + i, i));
      boolean stale = i % 3 == 1;
      Claim used = stale ? new Claim(claim.key(), ClaimId.next(), claim.token()) : claim;
      requests.add(new SettleRequest(used, i % 2 == 0 ? DONE : new Settlement.Release()));
      expected.add(stale ? fencedBy(record(claim.key())) : APPLIED);
    }
    assertThat(store.settle(requests).settled()).isEqualTo(expected);
  }

  @Test
  void theSettlementOfAKeyIsStoredBeforeItsClaimIsJudged() {
    IdempotencyKey completed = newKey();
    IdempotencyKey released = newKey();
    Claim toComplete = acquire(request(completed, "anna", 1));
    Claim toRelease = acquire(request(released, "anna", 2));
    Exchange answers =
        store.exchange(
            List.of(
                new SettleRequest(toRelease, new Settlement.Release()),
                new SettleRequest(toComplete, DONE)),
            List.of(request(completed, "bert", 1).build(), request(released, "bert", 2).build()));
    assertThat(answers.settled()).containsExactly(APPLIED, APPLIED);
    assertThat(answers.claimed().get(0)).isInstanceOf(Completed.class);
    assertThat(answers.claimed().get(1))
        .isEqualTo(new Acquired(toRelease.token() + 1, 1, false, LEASE));
  }

  @Test
  void aFencedSettlementHoldsUpNobody() {
    IdempotencyKey stale = newKey();
    IdempotencyKey next = newKey();
    Claim held = acquire(request(next, "anna", 1));
    Exchange answers =
        store.exchange(
            List.of(
                new SettleRequest(new Claim(stale, ClaimId.next(), clock()), DONE),
                new SettleRequest(held, DONE)),
            List.of(request(stale, "bert", 2).build()));
    assertThat(answers.settled()).containsExactly(fencedByNobody(), APPLIED);
    assertThat(answers.claimed()).containsExactly(new Acquired(clock(), 1, false, LEASE));
  }

  @Test
  void aKeyThatIsClaimedTwiceInABatchIsRefusedBeforeAnythingHappens() {
    IdempotencyKey once = newKey();
    IdempotencyKey twice = newKey();
    List<ClaimRequest> claims =
        List.of(
            request(once, "anna", 1).build(),
            request(twice, "anna", 2).build(),
            request(twice, "anna", 3).build());
    assertThatIllegalArgumentException().isThrownBy(() -> tested.claim(claims));
    assertAbsent(once);
    assertAbsent(twice);
  }

  @Test
  void aKeyThatIsSettledTwiceInABatchIsRefusedBeforeAnythingHappens() {
    Claim once = acquire(request(newKey(), "anna", 1));
    Claim twice = acquire(request(newKey(), "anna", 2));
    List<SettleRequest> settlements =
        List.of(
            new SettleRequest(once, DONE),
            new SettleRequest(twice, new Settlement.Start()),
            new SettleRequest(twice, DONE));
    assertThatIllegalArgumentException().isThrownBy(() -> tested.settle(settlements));
    assertThat(record(once.key()).state()).isEqualTo(State.PROCESSING);
    assertThat(record(twice.key()).state()).isEqualTo(State.PROCESSING);
  }
}
