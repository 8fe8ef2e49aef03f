// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.EffectNotDone;
import io.dedup.Outcome;
import io.dedup.claim.State;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.key.IdempotencyKey;
import io.dedup.spring.bean.CallMode;
import io.dedup.spring.bean.GuardRefused;
import io.dedup.spring.bean.Idempotent;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods whose key and effect are one transaction, their own or their caller's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionalBeansTest {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private final String number = UUID.randomUUID().toString();
  private ConfigurableApplicationContext context;
  private Shop shop;
  private TransactionTemplate transaction;
  private JdbcTemplate jdbc;

  @BeforeAll
  void start() {
    context = BeansApplication.onBoth(REDIS.get(), POSTGRES.get().createDatabase());
    shop = context.getBean(Shop.class);
    transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    jdbc = new JdbcTemplate(context.getBean(DataSource.class));
  }

  @AfterAll
  void stop() {
    context.close();
  }

  @Test
  void effectAndKeyAreCommittedTogetherAndOnce() {
    Shop.Receipt first = shop.book("own" + number);

    assertThat(shop.book("own" + number)).isEqualTo(first);
    assertThat(effects("book own")).isEqualTo(1);
    assertThat(isDone("book(String)", "own" + number)).isTrue();
  }

  @Test
  void aCallJoinsTheTransactionOfItsCaller() {
    transaction.executeWithoutResult(
        status -> {
          jdbc.update("INSERT INTO effect (what) VALUES ('order ' || ?)", number);
          shop.book("joined" + number);
          shop.book("joined" + number);
          assertThat(isDone("book(String)", "joined" + number)).isFalse();
        });

    assertThat(effects("book joined")).isEqualTo(1);
    assertThat(isDone("book(String)", "joined" + number)).isTrue();
  }

  @Test
  void whatTheCallerRollsBackWasNeverDone() {
    transaction.executeWithoutResult(
        status -> {
          shop.book("undone" + number);
          status.setRollbackOnly();
        });
    assertThat(effects("book undone")).isZero();
    assertThat(isDone("book(String)", "undone" + number)).isFalse();

    shop.book("undone" + number);
    assertThat(effects("book undone")).isEqualTo(1);
  }

  @Test
  void whileTheCallersTransactionLastsOthersFindTheKeyBusy() {
    transaction.executeWithoutResult(
        status -> {
          shop.book("busy" + number);
          var other = CompletableFuture.supplyAsync(() -> shop.book("busy" + number));
          assertThatThrownBy(() -> other.get(30, TimeUnit.SECONDS))
              .cause()
              .isInstanceOfSatisfying(
                  EffectNotDone.class,
                  e -> assertThat(e.outcome()).isInstanceOf(Outcome.InProgress.class));
        });
    assertThat(effects("book busy")).isEqualTo(1);
  }

  @Test
  void aFailureDoomsTheCallersTransactionAndIsRememberedAfterIt() {
    String id = "doomed" + number;
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status ->
                        assertThatThrownBy(() -> shop.reject(id))
                            .isInstanceOf(Shop.Declined.class)))
        .isInstanceOf(UnexpectedRollbackException.class);

    assertThat(effects("reject doomed")).isZero();
    assertThatThrownBy(() -> shop.reject(id))
        .isInstanceOf(EffectNotDone.class)
        .hasMessageContaining("no funds");
  }

  @Test
  void inATransactionOfItsOwnARecordedFailureRollsBackAndIsRemembered() {
    String id = "rejected" + number;
    assertThatThrownBy(() -> shop.reject(id)).isInstanceOf(Shop.Declined.class);

    assertThat(effects("reject rejected")).isZero();
    assertThatThrownBy(() -> shop.reject(id)).isInstanceOf(EffectNotDone.class);
  }

  @Test
  void inFrontOfTheDatabaseRedisAnswersForWhatIsCommittedAlone() {
    String id = "shelved" + number;
    transaction.executeWithoutResult(
        status -> {
          shop.shelve(id);
          status.setRollbackOnly();
        });
    transaction.executeWithoutResult(status -> shop.shelve(id));
    Shop.Receipt again = shop.shelve(id);

    assertThat(again).isEqualTo(new Shop.Receipt("s-" + id, 2));
    assertThat(effects("shelve shelved")).isEqualTo(1);
  }

  /** Both DataSource transactions and leases: the completion follows the commit. */
  @Test
  void underALeaseACompletionWaitsForTheCallersCommit() {
    String id = "leased" + number;
    transaction.executeWithoutResult(
        status -> {
          shop.count(id);
          status.setRollbackOnly();
        });
    shop.count(id);

    assertThat(effects("count leased")).isEqualTo(1);
  }

  static class Later {
    @Idempotent(key = "#order", mode = CallMode.TRANSACTIONAL)
    CompletableFuture<String> pay(String order) {
      return CompletableFuture.completedFuture(order);
    }
  }

  static class Apart {
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @Idempotent(key = "#order", mode = CallMode.TRANSACTIONAL)
    void pay(String order) {}
  }

  @ParameterizedTest
  @ValueSource(classes = {Later.class, Apart.class})
  void whatEndsOutsideOfTheTransactionIsRefused(Class<?> type) {
    Applications.withDatabase(POSTGRES.get().createDatabase())
        .withPropertyValues("dedup.jdbc.schema=create")
        .withBean(type)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .isInstanceOf(GuardRefused.class)
                    .hasMessageContaining("must"));
  }

  private long effects(String prefix) {
    Long count =
        jdbc.queryForObject(
            "SELECT count(*) FROM effect WHERE what LIKE ?", Long.class, prefix + number + "%");
    return count == null ? 0 : count;
  }

  private boolean isDone(String method, String id) {
    return context
        .getBean(JdbcClaimStore.class)
        .find(IdempotencyKey.of("io.dedup.spring.boot.Shop." + method, id))
        .filter(record -> record.state() == State.SUCCEEDED)
        .isPresent();
  }
}
