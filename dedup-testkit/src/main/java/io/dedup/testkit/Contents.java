// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.Failed;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.OnFailed;
import io.dedup.claim.Origin;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a record holds comes back as it was given: results, errors, owners, origins, ids, and the
 * longest times.
 */
abstract class Contents extends ContractSection {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  Contents(ClaimStoreContract contract) {
    super(contract);
  }

  static List<StoredResult> results() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    byte[] noise = new byte[64 * 1024];
    new Random(7).nextBytes(noise);
    return List.of(
        new StoredResult("", new byte[0]),
        new StoredResult("application/octet-stream", new byte[] {0}),
        new StoredResult("text/plain", "null".getBytes(StandardCharsets.UTF_8)),
        new StoredResult("x/" + "y".repeat(StoredResult.CONTENT_TYPE_MAX - 2), everyByte),
        new StoredResult("a b~!\"#$%&'()*+,;:<=>?@[\\]^`{|}", new byte[] {'\r', '\n', 0, -1}),
        new StoredResult("application/octet-stream", new byte[64 * 1024]),
        new StoredResult("application/octet-stream", noise));
  }

  static List<String> errors() {
    return List.of(
        "",
        " ",
        "it's \"quoted\", 100 % {sure}; \\ --\r\n\ttwo lines",
        "\u00fcber-Fehler \u2013 \u5931\u6557 \ud83d\ude31 e\u0301",
        "\ud83d\ude31".repeat(Settlement.Fail.ERROR_MAX / 2),
        "\u5931".repeat(Settlement.Fail.ERROR_MAX),
        "with\0nul and \ud83d half a pair",
        "longer".repeat(Settlement.Fail.ERROR_MAX));
  }

  static List<String> owners() {
    return List.of(
        "",
        " spaces ",
        "x".repeat(ClaimRequest.OWNER_MAX),
        "\u5931".repeat(ClaimRequest.OWNER_MAX),
        "\ud83d\ude31".repeat(ClaimRequest.OWNER_MAX / 2),
        "it's|a:b,c;d\\e/{f}\"g\"\n%h");
  }

  @ParameterizedTest
  @MethodSource("results")
  void aResultComesBackByteByByte(StoredResult result) {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), new Settlement.Complete(result, TTL));
    assertThat(((Completed) claim(request(key, "bert", 2))).result()).isEqualTo(result);
    assertThat(record(key).result()).isEqualTo(result);
  }

  @ParameterizedTest
  @MethodSource("results")
  void anAttachedResultComesBackByteByByte(StoredResult result) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    apply(claim, new Settlement.Attach(result));
    assertThat(((Completed) claim(request(key, "bert", 2))).result()).isEqualTo(result);
  }

  @Test
  void noResultIsNotAnEmptyOne() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    assertThat(((Completed) claim(request(key, "bert", 2))).result()).isNull();
    StoredResult empty = new StoredResult("", new byte[0]);
    apply(claim, new Settlement.Attach(empty));
    assertThat(((Completed) claim(request(key, "bert", 2))).result()).isEqualTo(empty);
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("errors")
  void anErrorComesBackAsItWasKept(String error) {
    IdempotencyKey key = newKey();
    Settlement.Fail failure = new Settlement.Fail(error, TTL, Duration.ZERO);
    apply(acquire(request(key, "anna", 1)), failure);
    assertThat(claim(request(key, "bert", 2).onFailed(OnFailed.REPORT)))
        .isEqualTo(new Failed(failure.error(), origin(1)));
    assertThat(record(key).error()).isEqualTo(failure.error());
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("owners")
  void anOwnerComesBackAsItWasGiven(String owner) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, owner, 1));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new InProgress(owner, LEASE, origin(1)));
    apply(claim, DONE);
    assertThat(record(key).owner()).isEqualTo(owner);
  }

  @Test
  void claimIdsOriginsAndForcedOriginsKeepAllTheirBits() {
    IdempotencyKey key = newKey();
    Origin first = new Origin(Long.MIN_VALUE, -1);
    Origin second = new Origin(-1, Long.MIN_VALUE);
    ClaimId id = new ClaimId(0, Long.MIN_VALUE);
    apply(acquire(request(key, "anna", 1).claimId(id).origin(first)), DONE);
    assertThat(record(key).claimId()).isEqualTo(id);
    acquire(request(key, "bert", 2).claimId(new ClaimId(-1, 0)).origin(second).force(true));
    assertThat(record(key).forced()).containsExactly(first, second);
    assertThat(record(key).claimId()).isEqualTo(new ClaimId(-1, 0));
  }

  @Test
  void anUnknownOriginStaysUnknown() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).origin(Origin.none()));
    assertThat(claim(request(key, "bert", 2)))
        .isEqualTo(new InProgress("anna", LEASE, Origin.none()));
  }

  @Test
  void theLongestDurationsWork() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(ClaimRequest.builder(key, "anna", LONGEST, LONGEST));
    apply(claim, new Settlement.Renew(LONGEST, LONGEST));
    assertThat(record(key).expires()).isEqualTo(time.now().plus(LONGEST).plus(LONGEST));
    apply(claim, new Settlement.Complete(null, LONGEST));
    time.advance(LONGEST.minus(MICRO));
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Completed.class);
    time.advance(MICRO);
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Acquired.class);
  }

  @Test
  void durationsAreRoundedUpToTheMicrosecond() {
    IdempotencyKey key = newKey();
    Duration lease = LEASE.plusNanos(1);
    Duration ttl = TTL.plusNanos(999);
    Claim claim = acquire(ClaimRequest.builder(key, "anna", lease, ttl));
    assertThat(record(key).busyUntil()).isEqualTo(time.now().plus(LEASE).plus(MICRO));
    assertThat(record(key).expires())
        .isEqualTo(time.now().plus(LEASE).plus(TTL).plus(MICRO).plus(MICRO));
    apply(claim, new Settlement.Renew(ttl, ttl));
    assertThat(record(key).busyUntil()).isEqualTo(time.now().plus(TTL).plus(MICRO));
    apply(claim, new Settlement.Fail("boom", ttl, lease));
    assertThat(record(key).busyUntil()).isEqualTo(time.now().plus(LEASE).plus(MICRO));
    time.advance(LEASE.plus(MICRO));
    apply(acquire(request(key, "bert", 2)), new Settlement.Complete(null, ttl));
    assertThat(record(key).expires()).isEqualTo(time.now().plus(TTL).plus(MICRO));
    store.extend(List.of(key), ttl.plusSeconds(1));
    assertThat(record(key).expires()).isEqualTo(time.now().plus(TTL).plusSeconds(1).plus(MICRO));
    claim(ClaimRequest.builder(key, "carl", lease, ttl.plusSeconds(2)).slide(true));
    assertThat(record(key).expires()).isEqualTo(time.now().plus(TTL).plusSeconds(2).plus(MICRO));
    IdempotencyKey issued = newKey();
    store.issue(issued, ttl);
    assertThat(record(issued).expires()).isEqualTo(time.now().plus(TTL).plus(MICRO));
  }

  @Test
  void theShortestDurationsWork() {
    IdempotencyKey key = newKey();
    Duration shortest = Duration.ofMillis(1);
    ClaimRequest request = ClaimRequest.builder(key, "anna", shortest, shortest).build();
    // Asked directly: a store may have removed the record before the next call.
    assertThat(tested.claim(List.of(request)).claimed())
        .containsExactly(new Acquired(clock(), 1, false, shortest));
    tested.forget(key);
  }
}
