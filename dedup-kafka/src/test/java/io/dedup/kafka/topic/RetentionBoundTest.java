// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formula, row by row. */
class RetentionBoundTest {

  private static final Duration CHECK = Duration.ofMinutes(5);
  private static final MatchRetention DEFAULTS = Ttl.matchRetention();

  private static TopicRetention topic(
      boolean compacted,
      @Nullable Duration retention,
      Duration segment,
      boolean append,
      @Nullable Duration after) {
    return new TopicRetention("orders", compacted, retention, segment, append, after);
  }

  private static TopicRetention deleted(Duration retention, Duration segment) {
    return topic(false, retention, segment, false, Duration.ofHours(1));
  }

  @ParameterizedTest
  @CsvSource({
    // retention, segment, append time, after.max (empty: no limit), outage, held, horizon, future
    // -> ttl
    "P7D,   P7D,   false, PT1H,  P1D,  P1D,  P1D,  P1D, P17DT1H5M",
    "P7D,   P7D,   true,  PT1H,  P1D,  P1D,  P1D,  P1D, P17DT5M",
    "P7D,   P7D,   true,  '',    P1D,  P1D,  P1D,  P1D, P17DT5M",
    "P7D,   P7D,   false, '',    P1D,  P1D,  P1D,  P1D, P18DT5M",
    "P7D,   P7D,   false, '',    P1D,  P1D,  P1D,  P3D, P20DT5M",
    "P7D,   PT1H,  false, PT1H,  PT0S, PT0S, PT0S, P1D, P7DT2H5M",
    "PT1S,  PT1S,  false, PT0S,  PT0S, PT0S, PT0S, P1D, PT5M2S",
    "PT0S,  P7D,   true,  PT1H,  PT2H, PT3H, PT4H, P1D, P7DT9H5M"
  })
  void aKeyIsKeptForTheSum(
      Duration retention,
      Duration segment,
      boolean append,
      String after,
      Duration outage,
      Duration held,
      Duration horizon,
      Duration future,
      Duration ttl) {
    MatchRetention settings =
        DEFAULTS.outage(outage).held(held).producerHorizon(horizon).maxFutureTimestamp(future);
    TopicRetention topic =
        topic(false, retention, segment, append, after.isEmpty() ? null : Duration.parse(after));
    assertThat(RetentionBound.ttl(topic, List.of(), CHECK, settings)).contains(ttl);
    assertThat(RetentionBound.of(topic, CHECK, settings)).contains(ttl.minus(horizon));
  }

  @Test
  void recordsThatNeverGoNeedKeysThatNeverGo() {
    Duration week = Duration.ofDays(7);
    assertThat(RetentionBound.ttl(topic(true, week, week, false, null), List.of(), CHECK, DEFAULTS))
        .isEmpty();
    assertThat(RetentionBound.ttl(topic(true, null, week, false, null), List.of(), CHECK, DEFAULTS))
        .isEmpty();
    assertThat(RetentionBound.ttl(topic(false, null, week, true, week), List.of(), CHECK, DEFAULTS))
        .isEmpty();
  }

  @Test
  void aRetentionBeyondWhatAStoreCanKeepIsNone() {
    Duration longest = Duration.ofMillis(Long.MAX_VALUE);
    assertThat(RetentionBound.ttl(deleted(longest, longest), List.of(), CHECK, DEFAULTS)).isEmpty();
    assertThat(
            RetentionBound.ttl(
                deleted(Duration.ofDays(36_499), Duration.ofDays(7)), List.of(), CHECK, DEFAULTS))
        .isEmpty();
    MatchRetention nothing =
        DEFAULTS.outage(Duration.ZERO).held(Duration.ZERO).producerHorizon(Duration.ZERO);
    TopicRetention most = topic(false, Duration.ofDays(36_499), Duration.ofDays(1), true, null);
    assertThat(RetentionBound.ttl(most, List.of(), Duration.ZERO, nothing))
        .isEqualTo(Optional.of(Duration.ofDays(36_500)));
  }

  @Test
  void aKeyIsKeptAsLongAsACopyCanComeBack() {
    TopicRetention topic = deleted(Duration.ofDays(1), Duration.ofDays(1));
    TopicRetention longer = deleted(Duration.ofDays(30), Duration.ofDays(7));
    TopicRetention shorter = deleted(Duration.ofHours(1), Duration.ofHours(1));
    Duration own = Duration.ofDays(5).plusHours(1).plusMinutes(5);
    assertThat(RetentionBound.ttl(topic, List.of(), CHECK, DEFAULTS)).contains(own);
    assertThat(RetentionBound.ttl(topic, List.of(shorter), CHECK, DEFAULTS)).contains(own);
    assertThat(RetentionBound.ttl(topic, List.of(shorter, longer), CHECK, DEFAULTS))
        .contains(Duration.ofDays(39).plusHours(1).plusMinutes(5));
    TopicRetention endless = topic(false, null, Duration.ofDays(7), false, null);
    assertThat(RetentionBound.ttl(topic, List.of(longer, endless), CHECK, DEFAULTS)).isEmpty();
    assertThat(RetentionBound.ttl(endless, List.of(shorter), CHECK, DEFAULTS)).isEmpty();
  }
}
