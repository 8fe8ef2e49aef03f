// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreUnavailable;
import io.dedup.testkit.ManualTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PurgeScheduleTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension static final Pools pools = new Pools();

  private final ManualTime time = ManualTime.atBeginning();
  private JdbcClaimStore store;

  @BeforeEach
  void openStore() {
    DataSource dataSource = Pools.withTable(pools.of(Pools.h2(), 4));
    store = JdbcClaimStore.builder(dataSource).time(time).build();
  }

  @Test
  void expiredRecordsAreRemovedInSmallBatchesAndLiveOnesStay() {
    claim(25);
    time.advance(Duration.ofDays(2));
    ClaimRequest live = claim(1).get(0);
    assertThat(store.stats().expired()).isEqualTo(25);

    try (PurgeSchedule schedule = quick(store).batchSize(10).start()) {
      await().atMost(PATIENCE).until(() -> store.stats().expired() == 0);
    }

    assertThat(store.find(live.key())).isPresent();
  }

  @Test
  void nothingIsRemovedBeforeTheGraceIsOver() {
    AtomicInteger rounds = new AtomicInteger();
    PurgeSchedule schedule = quick(counting(rounds)).grace(Duration.ofHours(1)).start();
    schedule.close();

    assertThat(rounds).hasValue(0);
  }

  @Test
  void troubleWithTheStoreEndsARoundAndNotTheSchedule() {
    AtomicInteger rounds = new AtomicInteger();
    try (PurgeSchedule schedule = quick(counting(rounds)).start()) {
      await().atMost(PATIENCE).until(() -> rounds.get() >= 3);
    }
  }

  @Test
  void onceClosedItPurgesNoMore() {
    AtomicInteger rounds = new AtomicInteger();
    PurgeSchedule schedule = quick(counting(rounds)).start();
    await().atMost(PATIENCE).until(() -> rounds.get() >= 1);
    schedule.close();
    int atClose = rounds.get();
    schedule.close();

    assertThat(rounds).hasValue(atClose);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("dedup-purge");
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    PurgeSchedule.Builder builder = PurgeSchedule.builder(store);
    assertThatThrownBy(() -> builder.batchSize(0))
        .hasMessage("batchSize: was 0, must be 1 to 10000");
    assertThatThrownBy(() -> builder.interval(Duration.ZERO))
        .hasMessage("interval: was PT0S, must be at least PT0.001S");
    assertThatThrownBy(() -> builder.grace(Duration.ofSeconds(-1)))
        .hasMessage("grace: was PT-1S, must be at least PT0S");
    assertThatThrownBy(() -> builder.roundLimit(Duration.ZERO))
        .hasMessage("roundLimit: was PT0S, must be at least PT0.001S");
  }

  private List<ClaimRequest> claim(int count) {
    List<ClaimRequest> requests = Stream.generate(StorePromises::request).limit(count).toList();
    assertThat(store.claim(requests).claimed()).hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
    return requests;
  }

  private static PurgeSchedule.Builder quick(ClaimStore store) {
    return PurgeSchedule.builder(store).grace(Duration.ZERO).interval(Duration.ofMillis(1));
  }

  /** A store that is down, and counts how often it is asked. */
  private static ClaimStore counting(AtomicInteger calls) {
    return (ClaimStore)
        Proxy.newProxyInstance(
            PurgeScheduleTest.class.getClassLoader(),
            new Class<?>[] {ClaimStore.class},
            (proxy, method, arguments) -> {
              calls.incrementAndGet();
              throw new StoreUnavailable("down", null);
            });
  }
}
