// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.Samples.KEY;
import static io.dedup.claim.Samples.LEASE;
import static io.dedup.claim.Samples.NOW;
import static io.dedup.claim.Samples.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused before any store sees it, and by which words. */
class RequestsTest {

  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Duration TOO_LONG = LONGEST.plusNanos(1);
  private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
  private static final Duration TOO_SHORT = Duration.ofNanos(999_999);

  static Stream<Arguments> leases() {
    return Stream.of(
        Arguments.of(Duration.ZERO, TTL, "lease: was PT0S, must be at least PT0.001S"),
        Arguments.of(Duration.ofSeconds(-1), TTL, "lease: was PT-1S, must be at least PT0.001S"),
        Arguments.of(TOO_SHORT, TTL, "lease: was PT0.000999999S, must be at least PT0.001S"),
        Arguments.of(
            ENDLESS.negated(),
            TTL,
            "lease: was " + ENDLESS.negated() + ", must be at least PT0.001S"),
        Arguments.of(
            TOO_LONG, TOO_LONG, "lease: was PT876000H0.000000001S, must be at most PT876000H"),
        Arguments.of(ENDLESS, ENDLESS, "lease: was " + ENDLESS + ", must be at most PT876000H"),
        Arguments.of(LEASE, Duration.ZERO, "ttl: was PT0S, must be at least PT0.001S"),
        Arguments.of(LEASE, ENDLESS, "ttl: was " + ENDLESS + ", must be at most PT876000H"),
        Arguments.of(
            LEASE,
            LEASE.minusNanos(1),
            "ttl: was PT29.999999999S, must not be shorter than the lease, PT30S"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("leases")
  void aLeaseAndATtlThatNoStoreCouldKeepAreRefused(Duration lease, Duration ttl, String complaint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClaimRequest.builder(KEY, "me", lease, ttl).build())
        .withMessage(complaint);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settlement.Renew(lease, ttl))
        .withMessage(complaint);
  }

  static Stream<Arguments> ttls() {
    return Stream.of(
        Arguments.of(Duration.ZERO, "ttl: was PT0S, must be at least PT0.001S"),
        Arguments.of(Duration.ofDays(-1), "ttl: was PT-24H, must be at least PT0.001S"),
        Arguments.of(TOO_SHORT, "ttl: was PT0.000999999S, must be at least PT0.001S"),
        Arguments.of(TOO_LONG, "ttl: was PT876000H0.000000001S, must be at most PT876000H"),
        Arguments.of(ENDLESS, "ttl: was " + ENDLESS + ", must be at most PT876000H"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("ttls")
  void aTtlThatNoStoreCouldKeepIsRefused(Duration ttl, String complaint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settlement.Complete(null, ttl))
        .withMessage(complaint);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settlement.Fail("no", ttl, Duration.ZERO))
        .withMessage(complaint);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Resolution.Done(null, ttl))
        .withMessage(complaint);
  }

  @Test
  void theShortestAndTheLongestAreAccepted() {
    Duration shortest = Duration.ofMillis(1);

    assertThat(ClaimRequest.builder(KEY, "me", shortest, shortest).build().lease())
        .isEqualTo(shortest);
    assertThat(ClaimRequest.builder(KEY, "me", LONGEST, LONGEST).build().ttl()).isEqualTo(LONGEST);
  }

  @Nested
  class Claiming {

    @Test
    void anOwnerThatNoStoreHasRoomForIsRefused() {
      assertThat(ClaimRequest.builder(KEY, "o".repeat(128), LEASE, TTL).build().owner())
          .hasSize(128);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ClaimRequest.builder(KEY, "o".repeat(129), LEASE, TTL).build())
          .withMessage("owner: was 129 characters, must be at most 128");
    }

    @Test
    void aNegativeTokenIsRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Samples.mine().tokenFloor(-1).build())
          .withMessage("tokenFloor: was -1, must not be negative");
    }

    @Test
    void nobodysClaimIdIsRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Samples.mine().claimId(ClaimId.none()).build())
          .withMessage("claimId: was none, must be a new id");
    }

    @Test
    void aClaimWithoutAKeyIsRefused() {
      assertThatNullPointerException()
          .isThrownBy(() -> ClaimRequest.builder(null, "me", LEASE, TTL).build())
          .withMessage("key");
    }

    @Test
    void whatIsNotSaidHasADefault() {
      ClaimRequest request = ClaimRequest.builder(KEY, "me", LEASE, TTL).build();
      ClaimRequest other = ClaimRequest.builder(KEY, "me", LEASE, TTL).build();

      assertThat(request.claimId()).isNotEqualTo(other.claimId());
      assertThat(request)
          .isEqualTo(
              new ClaimRequest(
                  KEY,
                  request.claimId(),
                  "me",
                  Fingerprint.none(),
                  Origin.none(),
                  LEASE,
                  TTL,
                  0,
                  null,
                  false,
                  false,
                  false,
                  ClaimStart.NOW,
                  OnLeaseExpired.RERUN,
                  OnFailed.RERUN));
    }

    @Test
    void aRequestSentAgainLaterDiffersInItsLimitAlone() {
      ClaimRequest request =
          Samples.mine()
              .tokenFloor(7)
              .notAfter(NOW)
              .requireIssued(true)
              .force(true)
              .slide(true)
              .start(ClaimStart.UNRECORDED)
              .onLeaseExpired(OnLeaseExpired.PROBE)
              .onFailed(OnFailed.REPORT)
              .build();

      ClaimRequest later = request.withNotAfter(NOW.plusSeconds(1));

      assertThat(later).isNotEqualTo(request);
      assertThat(later.notAfter()).isEqualTo(NOW.plusSeconds(1));
      assertThat(later.withNotAfter(NOW)).isEqualTo(request);
      assertThat(later.claim(5)).isEqualTo(new Claim(KEY, Samples.MINE, 5));
    }
  }

  @Nested
  class Settling {

    @Test
    void aBackOffThatOutlivesItsFailureIsRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Settlement.Fail("no", LEASE, LEASE.plusNanos(1)))
          .withMessage("ttl: was PT30S, must not be shorter than the back-off, PT30.000000001S");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Settlement.Fail("no", LEASE, Duration.ofNanos(-1)))
          .withMessage("backOff: was PT-0.000000001S, must not be negative");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Settlement.Fail("no", LEASE, ENDLESS))
          .withMessage("backOff: was " + ENDLESS + ", must be at most PT876000H");
    }

    @Test
    void anErrorIsCutToWhatStoresHaveRoomFor() {
      Settlement.Fail fail = new Settlement.Fail("e".repeat(501), TTL, Duration.ZERO);

      assertThat(fail.error()).isEqualTo("e".repeat(500));
    }

    @Test
    void nothingIsAttachedAndNothingIsSettledByNothing() {
      assertThatNullPointerException()
          .isThrownBy(() -> new Settlement.Attach(null))
          .withMessage("result");
      assertThatNullPointerException()
          .isThrownBy(() -> new SettleRequest(null, new Settlement.Start()))
          .withMessage("claim");
      assertThatNullPointerException()
          .isThrownBy(() -> new SettleRequest(new Claim(KEY, Samples.MINE, 1), null))
          .withMessage("settlement");
    }
  }

  @Nested
  class InBatches {

    private final ClaimStore store = InMemoryClaimStore.create(() -> NOW, 10);

    @Test
    void aKeyTwiceAmongTheClaimsIsRefusedWithoutTellingIt() {
      ClaimRequest other = ClaimRequest.builder(KEY, "me", LEASE, TTL).build();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.claim(List.of(Samples.mine().build(), other)))
          .withMessage("claims: has a key twice, in scope orders; must be distinct");
      assertThat(store.find(KEY)).isEmpty();
    }

    @Test
    void aKeyTwiceAmongTheSettlementsIsRefused() {
      SettleRequest start = new SettleRequest(new Claim(KEY, Samples.MINE, 1), Samples.DONE);
      SettleRequest done = new SettleRequest(new Claim(KEY, Samples.OTHERS, 2), Samples.DONE);

      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.settle(List.of(start, done)))
          .withMessage("settlements: has a key twice, in scope orders; must be distinct");
    }

    @Test
    void aKeyMayBeSettledAndClaimedInOneExchange() {
      ClaimRequest mine = Samples.mine().build();
      long token = ((ClaimAnswer.Acquired) store.claim(List.of(mine)).claimed().get(0)).token();

      Exchange exchange =
          store.exchange(
              List.of(new SettleRequest(mine.claim(token), Samples.RELEASED)),
              List.of(Samples.others().build(), other("18")));

      assertThat(exchange.storeTime()).isEqualTo(NOW);
      assertThat(exchange.settled()).containsExactly(new SettleAnswer.Applied());
      assertThat(exchange.claimed()).hasSize(2).hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
    }

    private static ClaimRequest other(String id) {
      return ClaimRequest.builder(IdempotencyKey.of("orders", id), "me", LEASE, TTL).build();
    }
  }
}
