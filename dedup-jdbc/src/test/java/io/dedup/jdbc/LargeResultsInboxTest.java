// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.Handler;
import io.dedup.LargeResults;
import io.dedup.Outcome;
import io.dedup.ResultCodec;
import io.dedup.TransactionConflict;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.key.IdempotencyKey;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large results of effects that are in the same database. */
class LargeResultsInboxTest extends OnEachDatabase {

  private static final String LARGE = "a long receipt ".repeat(10_000);

  private final AtomicInteger runs = new AtomicInteger();
  private final IdempotencyKey key = IdempotencyKey.of("reports", newName("k"));
  private JdbcClaimStore store;
  private Deduplicator dedup;
  private ResultCodec<String> codec;

  @BeforeEach
  void open() {
    JdbcSchema.of(dataSource()).createIfMissing();
    JdbcSchema.ofResults(dataSource()).createIfMissing();
    sql().update("DELETE FROM dedup_result");
    store = JdbcClaimStore.builder(dataSource()).build();
    use(transactional(Connection.TRANSACTION_READ_COMMITTED));
  }

  private void use(Deduplicator deduplicator) {
    dedup = deduplicator;
    codec =
        LargeResults.builder()
            .store(JdbcResultStore.builder(dataSource()).build(), dedup.policy())
            .build()
            .around(ResultCodec.text());
  }

  private Deduplicator transactional(int isolation) {
    return Deduplicator.builder(store)
        .transactional(JdbcInbox.of(store), transactions(isolation))
        .build();
  }

  @AfterEach
  void close() {
    dedup.close();
  }

  @Test
  void theResultIsCommittedWithItsRecordAndADuplicateGetsIt() {
    assertThat(execute().orElseThrow()).isEqualTo(LARGE);
    assertThat(execute()).isInstanceOf(Outcome.Duplicate.class);
    assertThat(execute().orElseThrow()).isEqualTo(LARGE);

    assertThat(runs).hasValue(1);
    assertThat(rows()).isEqualTo(1);
  }

  /** Of those whose transactions are undone no result is left. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void ofManyThatRunTogetherOneResultIsKeptAndAllGetIt(int isolation) throws Exception {
    dedup.close();
    use(transactional(isolation));
    List<Outcome<String>> outcomes = together(this::execute);

    assertThat(outcomes)
        .filteredOn(o -> !(o instanceof Outcome.InProgress))
        .isNotEmpty()
        .allSatisfy(o -> assertThat(o.orElseThrow()).isEqualTo(LARGE));
    assertThat(execute().orElseThrow()).isEqualTo(LARGE);
    assertThat(runs.get()).isPositive();
    assertThat(rows()).isEqualTo(1);
  }

  /** Who is told that the key is done behind the snapshot can read what was answered, too. */
  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aResultCommittedBehindASnapshotIsReadWhereItsRecordIs(int isolation) throws Exception {
    ClaimRequest request =
        ClaimRequest.builder(key, "me", dedup.policy().lease(), dedup.policy().ttl()).build();
    String answer;
    try {
      answer =
          behindASnapshot(
              isolation,
              this::execute,
              () -> {
                ClaimAnswer claimed = JdbcInbox.of(store).claim(List.of(request)).claimed().get(0);
                return claimed instanceof ClaimAnswer.Completed done
                    ? codec.decode(done.result())
                    : "in progress";
              });
    } catch (TransactionConflict e) {
      answer = "conflict";
    }
    assertThat(answer)
        .isIn(
            product == Product.H2
                ? Set.of("conflict", "in progress", LARGE)
                : behindASnapshot(LARGE));
  }

  @Test
  void aHandlerThatThrowsLeavesNoResult() {
    Handler<String> failing =
        context -> {
          throw new IllegalStateException("handler");
        };
    assertThat(dedup.execute(Delivery.of(key), failing, codec, dedup.policy()))
        .isInstanceOf(Outcome.Failed.class);
    assertThat(rows()).isZero();
  }

  @Test
  void underALeaseAResultIsWrittenOnceTheTransactionOfTheHandlerHasCommitted() throws Exception {
    dedup.close();
    use(Deduplicator.builder(store).afterCommitOf(transactions()).build());
    transactions()
        .inTransaction(
            () -> {
              assertThat(execute()).isInstanceOf(Outcome.Executed.class);
              return assertThat(rows()).isZero();
            });

    assertThat(rows()).isEqualTo(1);
    assertThat(execute()).isInstanceOf(Outcome.Duplicate.class);
    assertThat(execute().orElseThrow()).isEqualTo(LARGE);
    assertThat(runs).hasValue(1);
  }

  private Outcome<String> execute() {
    return dedup.execute(
        Delivery.of(key),
        context -> {
          runs.incrementAndGet();
          return LARGE;
        },
        codec,
        dedup.policy());
  }

  private int rows() {
    return sql().queryForObject("SELECT COUNT(*) FROM dedup_result", Integer.class);
  }
}
