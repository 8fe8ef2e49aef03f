// SPDX-License-Identifier: Apache-2.0
package io.dedup.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class ProcessClockTest {

  private final ProcessClock clock = ProcessClock.system();

  @Test
  void theWallClockIsTheJvms() {
    assertThat(clock.now()).isCloseTo(Instant.now(), within(1, ChronoUnit.HOURS));
  }

  @Test
  void theMonotonicClockIsTheJvms() {
    long before = System.nanoTime();
    long now = clock.nanoTime();

    assertThat(now - before).isNotNegative();
    assertThat(System.nanoTime() - now).isNotNegative();
  }

  @Test
  void aSleepOfNothingReturnsAtOnceEvenToWhoIsInterrupted() throws InterruptedException {
    Thread.currentThread().interrupt();

    clock.sleep(Duration.ZERO);
    clock.sleep(Duration.ofDays(-1));

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whoIsInterruptedDoesNotSleep() {
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> clock.sleep(Duration.ofHours(1)));
  }
}
