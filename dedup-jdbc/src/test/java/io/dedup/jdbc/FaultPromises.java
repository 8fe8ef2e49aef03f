// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a network does to the store, and what becomes of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultPromises {

  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final Duration TTL = Duration.ofDays(1);

  @RegisterExtension static final Pools pools = new Pools();

  private FaultProxy proxy;
  private JdbcClaimStore direct;
  private JdbcClaimStore store;

  abstract Database newDatabase();

  abstract FaultProxy newProxy();

  /** Settings of the driver that keep the test short. */
  void driver(HikariConfig config) {}

  @BeforeAll
  void open() {
    Database database = newDatabase();
    proxy = newProxy();
    direct = JdbcClaimStore.builder(Pools.withTable(pools.of(database, 2))).build();
    store =
        JdbcClaimStore.builder(pools.of(database.through(proxy), 2, this::impatient))
            .queryTimeout(Duration.ofSeconds(1))
            .build();
  }

  @AfterAll
  void close() {
    proxy.close();
  }

  @BeforeEach
  void heal() {
    proxy.heal();
    // Also looks at the table, which is done once.
    await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> store.stats() != null);
  }

  @Test
  void aServerThatRefusesIsUnavailableUntilItIsBack() {
    ClaimRequest request = request();
    proxy.refuse();
    assertThatThrownBy(() -> claim(store, request)).isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(() -> store.find(request.key())).isInstanceOf(StoreUnavailable.class);

    proxy.heal();

    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(StoreUnavailable.class)
        .until(() -> claim(store, request), ClaimAnswer.Acquired.class::isInstance);
  }

  /** Who waited for an answer without a limit would hang here. */
  @Test
  void aServerThatIsSilentIsUnavailable() {
    ClaimRequest request = request();
    proxy.stall();
    assertThatThrownBy(() -> claim(store, request)).isInstanceOf(StoreUnavailable.class);
    proxy.heal();

    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(StoreUnavailable.class)
        .until(() -> claim(store, request), ClaimAnswer.Acquired.class::isInstance);
  }

  @Test
  void aClaimWhoseAnswerWasLostIsAnsweredTheSameWhenItIsSentAgain() {
    ClaimRequest request = request();
    proxy.cutReplies();
    assertThatThrownBy(() -> claim(store, request)).isInstanceOf(StoreUnavailable.class);
    proxy.heal();

    ClaimAnswer.Acquired answer = (ClaimAnswer.Acquired) untilAnswered(request);

    assertThat(answer.attempt()).isEqualTo(1);
    assertThat(answer.takenOver()).isFalse();
    assertThat(((ClaimAnswer.Acquired) claim(direct, request)).token()).isEqualTo(answer.token());
    assertThat(claim(direct, again(request))).isInstanceOf(ClaimAnswer.InProgress.class);
  }

  @Test
  void aCompletionWhoseAnswerWasLostIsAppliedWhenItIsSentAgain() {
    ClaimRequest request = request();
    long token = ((ClaimAnswer.Acquired) claim(direct, request)).token();
    SettleRequest complete =
        new SettleRequest(request.claim(token), new Settlement.Complete(null, TTL));
    proxy.dropNextReply();
    assertThatThrownBy(() -> store.settle(List.of(complete))).isInstanceOf(StoreUnavailable.class);

    SettleAnswer answer =
        await()
            .atMost(Duration.ofSeconds(30))
            .ignoreExceptionsInstanceOf(StoreUnavailable.class)
            .until(() -> store.settle(List.of(complete)).settled().get(0), a -> true);

    assertThat(answer).isInstanceOf(SettleAnswer.Applied.class);
    assertThat(claim(direct, again(request))).isInstanceOf(ClaimAnswer.Completed.class);
  }

  private void impatient(HikariConfig config) {
    driver(config);
    config.setConnectionTimeout(1_000);
    config.setValidationTimeout(500);
  }

  private ClaimAnswer untilAnswered(ClaimRequest request) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(StoreUnavailable.class)
        .until(() -> claim(store, request), answer -> true);
  }

  private static ClaimAnswer claim(ClaimStore store, ClaimRequest request) {
    return store.claim(List.of(request)).claimed().get(0);
  }

  private static ClaimRequest request() {
    IdempotencyKey key = IdempotencyKey.of("faults", UUID.randomUUID().toString());
    return ClaimRequest.builder(key, "me", LEASE, TTL).build();
  }

  private static ClaimRequest again(ClaimRequest request) {
    return ClaimRequest.builder(request.key(), "other", LEASE, TTL).build();
  }
}
