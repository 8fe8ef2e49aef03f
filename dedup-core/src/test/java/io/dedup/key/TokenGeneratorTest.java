// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenGeneratorTest {

  private final HandClock clock = new HandClock();

  @Test
  void randomTokensAreShortSafeInAnUrlAndNeverTheSame() throws Exception {
    TokenGenerator random = TokenGenerator.random();

    List<String> tokens = inThreads(1_000, () -> random.next("pay", "17"));

    assertThat(tokens)
        .allMatch(token -> token.matches("[A-Za-z0-9_-]{22}"))
        .doesNotHaveDuplicates();
  }

  @Test
  void aNamedTokenIsTheSameWhoeverMakesIt() {
    assertThat(TokenGenerator.named().next("pay", "17"))
        .isEqualTo(TokenGenerator.named().next("pay", "17"))
        .isEqualTo("pay|17");
  }

  @Test
  void namesThatShareTheirTextAreTwo() {
    assertThat(TokenGenerator.named().next("pay|17", "a"))
        .isNotEqualTo(TokenGenerator.named().next("pay", "17|a"));
  }

  @Test
  void aCompositeTokenTellsTypeIdTimeNodeAndSequence() {
    TokenGenerator tokens = TokenGenerator.composite(clock, "node|1");

    assertThat(tokens.next("pay", "17")).isEqualTo("pay|17|1772366400000|node\\|1|000000");
    assertThat(tokens.next("pay", "17")).isEqualTo("pay|17|1772366400000|node\\|1|000001");
  }

  @Test
  void tokensOfANodeGrowWhileTheClockGoesOnStandsStillOrStepsBack() {
    TokenGenerator tokens = TokenGenerator.composite(clock, "n");
    List<String> made = new ArrayList<>();
    for (int millis : new int[] {0, 1, 0, 0, -5, 0, 3, 2, 100, -1000, 0}) {
      clock.step(Duration.ofMillis(millis));
      made.add(tokens.next("pay", "17"));
    }

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void tokensStillSortAsTextAfterAMillionInOneMillisecond() {
    TokenGenerator tokens = TokenGenerator.composite(clock, "n");
    String before = tokens.next("pay", "17");
    boolean grows = true;
    for (int i = 0; i < 1_000_100; i++) {
      String next = tokens.next("pay", "17");
      grows &= next.length() == before.length() && next.compareTo(before) > 0;
      before = next;
    }

    assertThat(grows).isTrue();
    clock.step(Duration.ofMillis(1));
    assertThat(tokens.next("pay", "17")).isGreaterThan(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva", "th-TH-u-ca-buddhist-nu-thai"})
  void aTokenIsTheSameInEveryLocale(String tag) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(tag));

      assertThat(TokenGenerator.composite(clock, "n").next("pay", "17"))
          .isEqualTo("pay|17|1772366400000|n|000000");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void nodesThatStartInTheSameMillisecondMakeOtherTokens() {
    Set<String> tokens = new HashSet<>();
    for (int node = 0; node < 1_000; node++) {
      tokens.add(TokenGenerator.composite(clock).next("pay", "17"));
    }

    assertThat(tokens).hasSize(1_000);
  }

  @Test
  void manyThreadsNeverGetTheSameTokenAndEachSeesThemGrow() throws Exception {
    TokenGenerator tokens = TokenGenerator.composite(clock, "n");
    List<List<String>> made =
        inThreads(
            8,
            () -> {
              List<String> mine = new ArrayList<>();
              for (int i = 0; i < 5_000; i++) {
                mine.add(tokens.next("pay", "17"));
              }
              return mine;
            });

    assertThat(made).allSatisfy(mine -> assertThat(mine).isSorted());
    assertThat(made.stream().flatMap(List::stream).distinct().count()).isEqualTo(40_000);
  }

  @Test
  void aNodeWithoutANameIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenGenerator.composite(clock, ""))
        .withMessage("node: was empty, must have at least one character");
  }

  private static <T> List<T> inThreads(int count, Callable<T> task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<T> results = new ArrayList<>();
      List<Callable<T>> tasks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        tasks.add(task);
      }
      for (Future<T> result : threads.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** A wall clock that is moved by hand, in either direction. */
  private static final class HandClock implements ProcessClock {

    private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

    void step(Duration step) {
      now = now.plus(step);
    }

    @Override
    public Instant now() {
      return now;
    }

    @Override
    public long nanoTime() {
      throw new UnsupportedOperationException("tokens bear the time that people read");
    }

    @Override
    public void sleep(Duration duration) {
      throw new UnsupportedOperationException("tokens wait for nothing");
    }
  }
}
