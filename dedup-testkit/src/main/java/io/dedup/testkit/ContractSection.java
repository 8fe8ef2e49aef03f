// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreTime;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the sections of the contract share: a store whose every step is compared with the store in
 * memory, time moved by hand, keys that no other test uses, and short words for what is done to a
 * store.
 *
 * <p>Durations are long, since a store may count them down by its own clock as well: a record may
 * vanish only after the time that it was given has really passed.
 */
abstract class ContractSection {

  static final Duration LEASE = Duration.ofMinutes(10);
  static final Duration TTL = Duration.ofHours(2);
  static final Duration MICRO = Duration.of(1, ChronoUnit.MICROS);
  static final Settlement DONE = new Settlement.Complete(null, TTL);
  static final SettleAnswer APPLIED = new SettleAnswer.Applied();
  static final Fingerprint ORDER = Fingerprint.raw("order".getBytes(StandardCharsets.UTF_8));
  static final Fingerprint OTHER_ORDER = Fingerprint.raw("other".getBytes(StandardCharsets.UTF_8));
  static final StoredResult RECEIPT =
      new StoredResult("application/json", "{\"receipt\":7}".getBytes(StandardCharsets.UTF_8));

  private final ClaimStoreContract contract;
  ManualTime time;
  ClaimStore tested;
  SideBySide store;
  String scope;
  private int keys;

  ContractSection(ClaimStoreContract contract) {
    this.contract = contract;
  }

  @BeforeEach
  void openStore() {
    time = ManualTime.atBeginning();
    tested = contract.createStore(time);
    store = new SideBySide(tested, time);
    scope = "contract/" + UUID.randomUUID();
  }

  /** Returns a second store object over the same data. */
  ClaimStore anotherProcess() {
    return contract.anotherProcess(tested, time);
  }

  /** Returns a store that judges by its own clock. */
  ClaimStore storeByItsOwnClock() {
    return contract.createStore(StoreTime.ofServer());
  }

  IdempotencyKey newKey() {
    keys++;
    return IdempotencyKey.of(scope, "key-" + keys);
  }

  /** Returns a request by an owner of that name, about the record at that offset. */
  ClaimRequest.Builder request(IdempotencyKey key, String owner, long offset) {
    return ClaimRequest.builder(key, owner, LEASE, TTL).fingerprint(ORDER).origin(origin(offset));
  }

  static Origin origin(long offset) {
    return Origin.kafka("cluster", "orders", 5, offset, 3);
  }

  ClaimAnswer claim(ClaimRequest request) {
    return store.claim(List.of(request)).claimed().get(0);
  }

  ClaimAnswer claim(ClaimRequest.Builder request) {
    return claim(request.build());
  }

  ClaimAnswer.Acquired acquired(ClaimRequest request) {
    ClaimAnswer answer = claim(request);
    assertThat(answer).isInstanceOf(ClaimAnswer.Acquired.class);
    return (ClaimAnswer.Acquired) answer;
  }

  /** Claims, and returns the claim that was acquired. */
  Claim acquire(ClaimRequest.Builder request) {
    ClaimRequest built = request.build();
    return built.claim(acquired(built).token());
  }

  SettleAnswer settle(Claim claim, Settlement settlement) {
    return store.settle(List.of(new SettleRequest(claim, settlement))).settled().get(0);
  }

  /** Settles, and insists that it was applied. */
  void apply(Claim claim, Settlement settlement) {
    assertThat(settle(claim, settlement)).isEqualTo(APPLIED);
  }

  ClaimRecord record(IdempotencyKey key) {
    return store.find(key).orElseThrow(() -> new AssertionError("the key is absent"));
  }

  void assertAbsent(IdempotencyKey key) {
    assertThat(store.find(key)).isEmpty();
  }

  /** The answer to a settlement that another holder of the key refuses. */
  static SettleAnswer fencedBy(ClaimRecord current) {
    return new SettleAnswer.Fenced(Holder.of(current));
  }

  static SettleAnswer fencedByNobody() {
    return new SettleAnswer.Fenced(Holder.nobody());
  }

  /** The store's clock as a token. */
  long clock() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time.now());
  }

  void afterLease() {
    time.advance(LEASE);
  }
}
