// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTest {

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void theDefaultsAreWhatTheirDocSays() {
    assertThat(Policy.defaults())
        .isEqualTo(
            new Policy(
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                Duration.ofDays(7),
                Duration.ofDays(1),
                Duration.ZERO,
                Duration.ZERO,
                OnFailed.RERUN,
                OnLeaseExpired.RERUN,
                null,
                OnConflict.REJECT,
                10,
                false,
                null));
  }

  @Test
  void eachChangeIsMadeAndKeepsTheOthers() {
    EffectProbe probe = key -> new EffectProbe.Finding.NotDone();
    Predicate<Throwable> which = failure -> failure instanceof IllegalStateException;
    Policy changed =
        Policy.of(
            p ->
                p.lease(Duration.ofSeconds(1))
                    .maxProcessing(Duration.ofSeconds(2))
                    .ttl(Duration.ofSeconds(3))
                    .failedTtl(Duration.ofSeconds(4))
                    .failedBackOff(Duration.ofSeconds(1))
                    .inProgressWait(Duration.ofSeconds(6))
                    .onFailed(OnFailed.REPORT)
                    .probe(probe)
                    .onConflict(OnConflict.IGNORE)
                    .maxAttempts(7)
                    .slide(true)
                    .remembered(which));

    assertThat(changed)
        .isEqualTo(
            new Policy(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                Duration.ofSeconds(1),
                Duration.ofSeconds(6),
                OnFailed.REPORT,
                OnLeaseExpired.PROBE,
                probe,
                OnConflict.IGNORE,
                7,
                true,
                which));
    assertThat(changed.with(p -> p)).isEqualTo(changed);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refused(p -> p.lease(Duration.ZERO), "lease: was PT0S, must be at least PT0.001S"),
        refused(
            p -> p.lease(Duration.ofNanos(999_999)),
            "lease: was PT0.000999999S, must be at least PT0.001S"),
        refused(
            p -> p.lease(Duration.ofSeconds(-1)), "lease: was PT-1S, must be at least PT0.001S"),
        refused(p -> p.ttl(Duration.ZERO), "ttl: was PT0S, must be at least PT0.001S"),
        refused(
            p -> p.ttl(Duration.ofSeconds(29)),
            "ttl: was PT29S, must not be below lease, which is PT30S"),
        refused(p -> p.failedTtl(Duration.ZERO), "failed-ttl: was PT0S, must be at least PT0.001S"),
        refused(
            p -> p.failedBackOff(Duration.ofMillis(-1)),
            "failed-back-off: was PT-0.001S, must be at least PT0S"),
        refused(
            p -> p.failedBackOff(Duration.ofDays(2)),
            "failed-ttl: was PT24H, must not be below failed-back-off, which is PT48H"),
        refused(
            p -> p.inProgressWait(Duration.ofSeconds(-1)),
            "in-progress-wait: was PT-1S, must be at least PT0S"),
        refused(
            p -> p.maxProcessing(Duration.ofSeconds(29)),
            "max-processing: was PT29S, must not be below lease, which is PT30S"),
        refused(p -> p.maxAttempts(0), "max-attempts: was 0, must be at least 1"),
        refused(
            p -> p.onLeaseExpired(OnLeaseExpired.PROBE),
            "on-lease-expired: was PROBE without a probe, must have one, or be RERUN or HOLD"),
        refused(p -> p.ttl(FOREVER), "ttl: was " + FOREVER + ", must be at most PT876000H"),
        refused(p -> p.lease(FOREVER), "lease: was " + FOREVER + ", must be at most PT876000H"),
        refused(
            p -> p.maxProcessing(FOREVER),
            "max-processing: was " + FOREVER + ", must be at most PT876000H"),
        refused(
            p -> p.inProgressWait(FOREVER),
            "in-progress-wait: was " + FOREVER + ", must be at most PT876000H"),
        refused(
            p -> p.failedTtl(FOREVER),
            "failed-ttl: was " + FOREVER + ", must be at most PT876000H"),
        refused(
            p -> p.failedBackOff(FOREVER),
            "failed-back-off: was " + FOREVER + ", must be at most PT876000H"));
  }

  private static Arguments refused(UnaryOperator<Policy.Builder> changes, String message) {
    return Arguments.of(message, changes);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void whatCannotWorkIsRefusedAndNotRepaired(
      String message, UnaryOperator<Policy.Builder> changes) {
    assertThatThrownBy(() -> Policy.of(changes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  /** What is accepted here must not be refused at the first delivery. */
  @Test
  void theLongestDurationsWork() {
    Duration longest = ClaimRequest.TTL_MAX;
    try (World world = new World()) {
      Deduplicator dedup =
          world.dedup(
              p ->
                  p.ttl(longest)
                      .lease(longest)
                      .maxProcessing(longest)
                      .failedTtl(longest)
                      .failedBackOff(longest)
                      .inProgressWait(longest));

      assertThat(dedup.execute(World.KEY, Runs.answering("receipt")).isDone()).isTrue();
      assertThat(dedup.execute(World.KEY, Runs.failing())).isInstanceOf(Outcome.Duplicate.class);
    }
  }

  @Test
  void theShortestDurationsWork() {
    Duration shortest = Duration.ofMillis(1);
    try (World world = new World()) {
      Deduplicator dedup =
          world.dedup(
              p -> p.lease(shortest).ttl(shortest).maxProcessing(shortest).failedTtl(shortest));

      assertThat(dedup.execute(World.KEY, Runs.failing())).isInstanceOf(Outcome.Failed.class);
      assertThat(dedup.execute(World.KEY, Runs.answering("receipt")).isDone()).isTrue();
    }
  }
}
