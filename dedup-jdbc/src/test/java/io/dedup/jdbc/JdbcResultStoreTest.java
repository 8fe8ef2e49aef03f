// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.Transactions;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoredResult;
import io.dedup.testkit.ManualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Large results in a table. */
class JdbcResultStoreTest extends OnEachDatabase {

  private static final Duration TTL = Duration.ofDays(7);

  private final ManualTime time = ManualTime.atBeginning();
  private JdbcResultStore results;
  private StoredResult large;

  @BeforeEach
  void openStore() {
    JdbcSchema.ofResults(dataSource()).createIfMissing();
    sql().update("DELETE FROM dedup_result");
    results = JdbcResultStore.builder(dataSource()).time(time).build();
    byte[] bytes = new byte[300_000];
    new Random(7).nextBytes(bytes);
    large = new StoredResult("application/x-report;charset=none", bytes);
  }

  @Test
  void whatIsPutIsFoundAsItWas() {
    StoredResult empty = new StoredResult("", new byte[0]);
    String one = results.put(large, TTL);
    String other = results.put(empty, TTL);

    assertThat(results.find(one)).contains(large);
    assertThat(results.find(other)).contains(empty);
    assertThat(one).isNotEqualTo(other).isASCII();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nothing of ours", "1-2-3-4-5", "' OR '1'='1"})
  void whatIsNoReferenceOfOursNamesNothing(String reference) {
    results.put(large, TTL);

    assertThat(results.find(reference)).isEmpty();
    results.extend(reference, TTL);
    assertThat(results.find(UUID.randomUUID().toString())).isEmpty();
  }

  @Test
  void aResultIsFoundUntilItsTimeIsOver() {
    String reference = results.put(large, TTL);

    time.advance(TTL.minusNanos(1000));
    assertThat(results.find(reference)).isPresent();
    time.advance(Duration.ofNanos(1000));
    assertThat(results.find(reference)).isEmpty();
  }

  @Test
  void aResultMayBeKeptLongerAndNeverShorter() {
    String reference = results.put(large, TTL);
    results.extend(reference, Duration.ofDays(9));
    results.extend(reference, Duration.ofDays(1));

    time.advance(Duration.ofDays(8));
    assertThat(results.find(reference)).isPresent();
    time.advance(Duration.ofDays(1));
    results.extend(reference, TTL);
    assertThat(results.find(reference)).isEmpty();
  }

  /** Those that nothing refers to among them: nobody has to know which these are. */
  @Test
  void purgingRemovesWhatIsOverInSmallBatchesAndNothingElse() {
    for (int i = 0; i < 5; i++) {
      results.put(large, TTL);
    }
    time.advance(TTL);
    String live = results.put(large, TTL);

    assertThat(results.purgeExpired(3)).isEqualTo(3);
    assertThat(results.purgeExpired(3)).isEqualTo(2);
    assertThat(results.purgeExpired(3)).isZero();
    assertThat(rows()).isEqualTo(1);
    assertThat(results.find(live)).isPresent();
  }

  @Test
  void theClockIsTheServersUnlessATestMovesIt() {
    JdbcResultStore now = JdbcResultStore.builder(dataSource()).build();
    String brief = now.put(large, Duration.ofMillis(1));
    String longer = now.put(large, TTL);

    await().atMost(Duration.ofSeconds(10)).until(() -> now.find(brief).isEmpty());
    assertThat(now.find(longer)).isPresent();
    assertThat(now.purgeExpired(10)).isEqualTo(1);
  }

  @Test
  void aScheduleRemovesThem() {
    results.put(large, TTL);
    time.advance(TTL);
    try (PurgeSchedule schedule =
        PurgeSchedule.builder(results)
            .grace(Duration.ZERO)
            .interval(Duration.ofMillis(1))
            .start()) {
      assertThat(schedule).isNotNull();
      await().atMost(Duration.ofSeconds(30)).until(() -> rows() == 0);
    }
  }

  @Test
  void aResultIsPartOfTheCallersTransaction() throws Exception {
    AtomicReference<String> reference = new AtomicReference<>();
    Transactions.Work<Object> put =
        () -> {
          reference.set(results.put(large, TTL));
          return assertThat(results.find(reference.get())).isPresent();
        };
    try (Rival rival = Rival.in(transactions(), put)) {
      rival.rollBack();
    }
    assertThat(results.find(reference.get())).isEmpty();
    assertThat(rows()).isZero();

    transactions().inTransaction(put);
    assertThat(results.find(reference.get())).isPresent();
  }

  @Test
  void behindAProxyOfTheDataSourceItIsPartOfTheTransactionToo() {
    JdbcResultStore behind =
        JdbcResultStore.builder(new TransactionAwareDataSourceProxy(dataSource())).build();
    assertThatThrownBy(
            () ->
                transactions()
                    .inTransaction(
                        () -> {
                          behind.put(large, TTL);
                          throw new IllegalStateException("handler");
                        }))
        .hasMessage("handler");
    assertThat(rows()).isZero();
  }

  /**
   * Under a lease the completion is sent then. The transaction's connection is there still, and
   * this pool would roll back what is written on it.
   */
  @Test
  void onceTheCallersTransactionHasCommittedItIsWrittenByItself() throws Exception {
    DataSource pool = notCommitting(2);
    Transactions transactions = SpringTransactions.of(new JdbcTransactionManager(pool));
    JdbcResultStore onPool = JdbcResultStore.builder(pool).time(time).build();
    AtomicReference<String> reference = new AtomicReference<>();
    transactions.inTransaction(
        () -> {
          transactions.afterCompletion(completion -> reference.set(onPool.put(large, TTL)));
          return null;
        });
    assertThat(results.find(reference.get())).isPresent();
  }

  @Test
  void inATransactionOfAnotherDataSourceItIsWrittenByItself() {
    Transactions other =
        SpringTransactions.of(new JdbcTransactionManager(pools.of(newDatabase(), 1)));
    assertThatThrownBy(
            () ->
                other.inTransaction(
                    () -> {
                      results.put(large, TTL);
                      throw new IllegalStateException("handler");
                    }))
        .hasMessage("handler");
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void aReadOnlyTransactionFindsItAll() {
    String reference = results.put(large, TTL);
    TransactionTemplate readOnly =
        new TransactionTemplate(new JdbcTransactionManager(dataSource()));
    readOnly.setReadOnly(true);
    Optional<StoredResult> found = readOnly.execute(status -> results.find(reference));
    assertThat(found).contains(large);
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsSent() {
    JdbcResultStore small = JdbcResultStore.builder(dataSource()).maxBytes(299_999).build();
    assertThat(small.maxBytes()).isEqualTo(299_999);
    assertThatThrownBy(() -> small.put(large, TTL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("result: was 300000 bytes, must be at most 299999");
    assertThatThrownBy(() -> JdbcResultStore.builder(dataSource()).maxBytes(0))
        .hasMessage("maxBytes: was 0, must be 1 to 268435456");
  }

  @Test
  void aRowOfAnotherFormatIsNotGuessedAtAndNotRemoved() {
    String reference = results.put(large, TTL);
    sql().update("UPDATE dedup_result SET format = 2");

    assertThatThrownBy(() -> results.find(reference))
        .isInstanceOf(StoreCorrupt.class)
        .hasMessage("result: was of format 2, must be 1");
    time.advance(TTL);
    assertThat(results.purgeExpired(10)).isZero();
  }

  @Test
  void aMissingTableIsNamedAndHowToMakeIt() {
    String table = newName("t");
    JdbcResultStore nowhere = JdbcResultStore.builder(dataSource()).table(table).build();
    assertThatThrownBy(() -> nowhere.put(large, TTL))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageStartingWith("table " + table + ": was not found");

    JdbcSchema.ofResults(dataSource(), table).createIfMissing();
    assertThat(nowhere.find(nowhere.put(large, TTL))).isPresent();
  }

  @Test
  void aTableThatWillNotDoIsRefused() {
    String table = newName("t");
    JdbcSchema.of(dataSource(), table).createIfMissing();
    assertThatThrownBy(() -> JdbcSchema.ofResults(dataSource(), table).validate())
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("was not found, must be");

    String noKey = newName("t");
    JdbcSchema.ofResults(dataSource(), noKey).createIfMissing();
    String drop = product == Product.POSTGRESQL ? "CONSTRAINT " + noKey + "_pkey" : "PRIMARY KEY";
    sql().execute("ALTER TABLE " + noKey + " DROP " + drop);
    assertThatThrownBy(() -> JdbcSchema.ofResults(dataSource(), noKey).validate())
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("unique constraint on result_id alone");
  }

  private int rows() {
    return sql().queryForObject("SELECT COUNT(*) FROM dedup_result", Integer.class);
  }
}
