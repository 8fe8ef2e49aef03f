// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What the inbox promises on every database. */
abstract class InboxPromises {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration TTL = Duration.ofDays(1);

  private JdbcClaimStore store;
  private JdbcInbox inbox;
  private JdbcTransactionManager manager;
  private Transactions transactions;
  private JdbcTemplate sql;
  private IdempotencyKey key;

  /** A pool on the database, in which the table is. */
  abstract DataSource dataSource();

  /** Ends the session of the transaction of this thread, as a crash of the process would. */
  abstract void killSession(JdbcTemplate within);

  /** What may be said about a rival that committed after our snapshot: an answer, or "conflict". */
  abstract Set<String> answersBehindASnapshot();

  @BeforeEach
  void openInbox() {
    store = JdbcClaimStore.builder(dataSource()).build();
    inbox = JdbcInbox.of(store);
    manager = new JdbcTransactionManager(dataSource());
    transactions = SpringTransactions.of(manager);
    sql = new JdbcTemplate(dataSource());
    sql.execute("CREATE TABLE IF NOT EXISTS effect (id VARCHAR(64) NOT NULL)");
    sql.execute("CREATE TABLE IF NOT EXISTS snapshot (id VARCHAR(64) NOT NULL)");
    key = newKey();
  }

  @Test
  void theRecordAndTheHandlersWritesAreCommittedTogether() throws Exception {
    transactions.inTransaction(this::runHandler);

    assertThat(effects()).isEqualTo(1);
    assertThat(store.find(key)).get().returns(State.SUCCEEDED, r -> r.state());
    assertThat(transactions.inTransaction(() -> claim(request())))
        .isInstanceOf(ClaimAnswer.Completed.class);
  }

  @Test
  void theRecordAndTheHandlersWritesAreRolledBackTogether() throws Exception {
    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      runHandler();
                      throw new IllegalStateException("handler");
                    }))
        .hasMessage("handler");

    assertThat(effects()).isZero();
    assertThat(store.find(key)).isEmpty();
    assertThat(transactions.inTransaction(() -> claim(request())))
        .isInstanceOf(ClaimAnswer.Acquired.class);
  }

  @Test
  void aCrashBeforeTheCommitLeavesNeither() throws Exception {
    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      runHandler();
                      killSession(sql);
                      return runHandler();
                    }))
        .isInstanceOf(Exception.class);

    assertThat(effects()).isZero();
    assertThat(store.find(key)).isEmpty();
  }

  /** The rival stays open until the answer is there: who waited for it would wait for ever. */
  @Test
  void aKeyOfAnOpenTransactionIsInProgressAtOnce() throws Exception {
    try (Rival rival = Rival.in(transactions, this::runHandler)) {
      ClaimAnswer answer = transactions.inTransaction(() -> claim(request()));

      assertThat(answer)
          .isEqualTo(new ClaimAnswer.InProgress("", InboxExchange.RIVAL_WAIT, Origin.none()));
      rival.commit();
    }
    assertThat(transactions.inTransaction(() -> claim(request())))
        .isInstanceOf(ClaimAnswer.Completed.class);
  }

  @Test
  void aKeyOfATransactionThatRolledBackIsAcquired() throws Exception {
    try (Rival rival = Rival.in(transactions, this::runHandler)) {
      rival.rollBack();
    }
    assertThat(transactions.inTransaction(this::runHandler))
        .isInstanceOf(ClaimAnswer.Acquired.class);
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void oneBusyKeyOfABatchLeavesTheOthersToUs() throws Exception {
    List<ClaimRequest> batch = IntStream.range(0, 10).mapToObj(i -> request(newKey())).toList();
    key = batch.get(4).key();
    try (Rival rival = Rival.in(transactions, this::runHandler)) {
      List<ClaimAnswer> answers = transactions.inTransaction(() -> inbox.claim(batch).claimed());

      for (int i = 0; i < batch.size(); i++) {
        assertThat(answers.get(i))
            .isInstanceOf(i == 4 ? ClaimAnswer.InProgress.class : ClaimAnswer.Acquired.class);
      }
      rival.commit();
    }
  }

  /** The rival's row is there, committed, and locked: it takes over in an open transaction. */
  @Test
  void aCommittedRowThatAnOpenTransactionTakesOverIsInProgress() throws Exception {
    ClaimRequest first = request();
    store.settle(List.of(release(first, store.claim(List.of(first)))));
    try (Rival rival = Rival.in(transactions, this::runHandler)) {
      assertThat(transactions.inTransaction(() -> claim(request())))
          .isInstanceOf(ClaimAnswer.InProgress.class);
      rival.commit();
    }
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void aDuplicateLeavesTheTransactionUsable() throws Exception {
    transactions.inTransaction(this::runHandler);

    transactions.inTransaction(
        () -> {
          assertThat(claim(request())).isInstanceOf(ClaimAnswer.Completed.class);
          return sql.update("INSERT INTO effect (id) VALUES (?)", key.id());
        });

    assertThat(effects()).isEqualTo(2);
  }

  /** Its snapshot hides the rival's row: it is found all the same, or the database says no. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        TransactionDefinition.ISOLATION_REPEATABLE_READ,
        TransactionDefinition.ISOLATION_SERIALIZABLE
      })
  void aRivalThatCommittedAfterOurSnapshotIsNeverOverlooked(int isolation) throws Exception {
    DefaultTransactionDefinition settings = new DefaultTransactionDefinition();
    settings.setIsolationLevel(isolation);
    Transactions strict = SpringTransactions.of(manager, settings);
    String outcome;
    try {
      outcome =
          strict.inTransaction(
              () -> {
                // The first read makes the snapshot; of another table, as it may lock what it
                // reads.
                sql.queryForObject("SELECT COUNT(*) FROM snapshot", Integer.class);
                Rival.in(transactions, this::runHandler).commit();
                return claim(request()).getClass().getSimpleName();
              });
    } catch (TransactionConflict e) {
      outcome = "conflict";
    }
    assertThat(outcome).isIn(answersBehindASnapshot());
    assertThat(transactions.inTransaction(() -> claim(request())))
        .isInstanceOf(ClaimAnswer.Completed.class);
  }

  @Test
  void withoutATransactionItRefusesToWork() {
    assertThatThrownBy(() -> claim(request()))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("there is none");
  }

  @Test
  void withATransactionOfAnotherDataSourceItRefusesToWork() {
    Transactions other = SpringTransactions.of(new JdbcTransactionManager(otherDataSource()));
    assertThatThrownBy(() -> other.inTransaction(() -> claim(request())))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("not one of this DataSource");
  }

  @Test
  void withAReadOnlyTransactionItRefusesToWork() {
    TransactionTemplate readOnly = new TransactionTemplate(manager);
    readOnly.setReadOnly(true);
    assertThatThrownBy(() -> readOnly.execute(status -> claim(request())))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("read-only");
  }

  /** Else the effect would be committed without its record, and done again at the next delivery. */
  @Test
  void whoSwallowsTroubleWithTheInboxCommitsNothing() {
    String table = "gone_" + key.id().replace('-', '_');
    JdbcSchema.of(dataSource(), table).createIfMissing();
    JdbcClaimStore gone = JdbcClaimStore.builder(dataSource()).table(table).build();
    gone.stats();
    sql.execute("DROP TABLE " + table);

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      assertThatThrownBy(() -> JdbcInbox.of(gone).claim(List.of(request())))
                          .isInstanceOf(StoreMisconfigured.class);
                      try {
                        return sql.update("INSERT INTO effect (id) VALUES (?)", key.id());
                      } catch (DataAccessException e) {
                        return 0;
                      }
                    }))
        .isInstanceOf(UnexpectedRollbackException.class);

    assertThat(effects()).isZero();
  }

  @Test
  void aLeaseClaimIsCompletedWithTheHandlersWrites() throws Exception {
    ClaimRequest request = request();
    Claim claim = request.claim(token(store.claim(List.of(request))));

    transactions.inTransaction(
        () -> {
          sql.update("INSERT INTO effect (id) VALUES (?)", key.id());
          assertThat(settle(claim)).isInstanceOf(SettleAnswer.Applied.class);
          return null;
        });

    assertThat(effects()).isEqualTo(1);
    assertThat(store.find(key)).get().returns(State.SUCCEEDED, r -> r.state());
  }

  /** Its row is locked, by a transaction that claimed nothing itself. */
  @Test
  void aLeaseClaimThatAnOpenTransactionCompletesIsInProgressAtOnce() throws Exception {
    ClaimRequest request = request(key, Duration.ofMillis(1));
    Claim claim = request.claim(token(store.claim(List.of(request))));
    try (Rival rival = Rival.in(transactions, () -> settle(claim))) {
      assertThat(transactions.inTransaction(() -> claim(request())))
          .isInstanceOf(ClaimAnswer.InProgress.class);
      rival.commit();
    }
    assertThat(transactions.inTransaction(() -> claim(request())))
        .isInstanceOf(ClaimAnswer.Completed.class);
  }

  @Test
  void aZombieThatWasTakenOverRollsBack() throws Exception {
    ClaimRequest slow = request(key, Duration.ofMillis(1));
    Claim zombie = slow.claim(token(store.claim(List.of(slow))));
    ClaimRequest successor = request();
    assertThat(Until.acquired(store, successor).takenOver()).isTrue();

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      sql.update("INSERT INTO effect (id) VALUES (?)", key.id());
                      assertThat(settle(zombie)).isInstanceOf(SettleAnswer.Fenced.class);
                      throw new IllegalStateException("fenced");
                    }))
        .hasMessage("fenced");

    assertThat(effects()).isZero();
    assertThat(store.find(key)).get().returns(successor.claimId(), r -> r.claimId());
  }

  @Test
  void aRecordLivesAndDiesWithItsSavepoint() throws Exception {
    IdempotencyKey undone = newKey();
    transactions.inTransaction(
        () -> {
          transactions.inSavepoint(this::runHandler);
          assertThatThrownBy(
                  () ->
                      transactions.inSavepoint(
                          () -> {
                            assertThat(claim(request(undone)))
                                .isInstanceOf(ClaimAnswer.Acquired.class);
                            throw new IllegalStateException("handler");
                          }))
              .hasMessage("handler");
          return null;
        });

    assertThat(effects()).isEqualTo(1);
    assertThat(store.find(key)).isPresent();
    assertThat(store.find(undone)).isEmpty();
  }

  @Test
  void aClaimSentTwiceInATransactionIsAnsweredTheSame() throws Exception {
    ClaimRequest request = request();
    transactions.inTransaction(
        () -> {
          long token = token(inbox.claim(List.of(request)));
          assertThat(token(inbox.claim(List.of(request)))).isEqualTo(token);
          return null;
        });
  }

  @Test
  void aKeyThatMustBeIssuedIsRefusedUnlessItWas() throws Exception {
    ClaimRequest request = ClaimRequest.builder(key, "me", LEASE, TTL).requireIssued(true).build();
    assertThat(transactions.inTransaction(() -> claim(request)))
        .isInstanceOf(ClaimAnswer.NotIssued.class);
    assertThat(inbox.issue(key, TTL)).isTrue();
    try (Rival rival = Rival.in(transactions, () -> claim(request()))) {
      assertThat(transactions.inTransaction(() -> claim(request)))
          .isInstanceOf(ClaimAnswer.InProgress.class);
      rival.rollBack();
    }
    assertThat(transactions.inTransaction(() -> claim(request)))
        .isInstanceOf(ClaimAnswer.Acquired.class);
  }

  @Test
  void moreThanFiveHundredClaimsOfATransactionAreRefused() throws Exception {
    List<ClaimRequest> batch =
        IntStream.range(0, JdbcInbox.CLAIMS_MAX).mapToObj(i -> request(newKey())).toList();
    transactions.inTransaction(
        () -> {
          assertThat(inbox.claim(batch).claimed())
              .hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
          assertThatThrownBy(() -> claim(request()))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("were 501 in one transaction, must be at most 500");
          return null;
        });
    assertThat(transactions.inTransaction(() -> claim(request())))
        .isInstanceOf(ClaimAnswer.Acquired.class);
  }

  /** A pool on the same database that is another object. */
  abstract DataSource otherDataSource();

  private ClaimAnswer runHandler() {
    ClaimRequest request = request();
    Exchange exchange = inbox.claim(List.of(request));
    ClaimAnswer answer = exchange.claimed().get(0);
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      sql.update("INSERT INTO effect (id) VALUES (?)", key.id());
      assertThat(settle(request.claim(acquired.token()))).isInstanceOf(SettleAnswer.Applied.class);
    }
    return answer;
  }

  private ClaimAnswer claim(ClaimRequest request) {
    return inbox.claim(List.of(request)).claimed().get(0);
  }

  private SettleAnswer settle(Claim claim) {
    SettleRequest complete = new SettleRequest(claim, new Settlement.Complete(null, TTL));
    return inbox.settle(List.of(complete)).settled().get(0);
  }

  private static SettleRequest release(ClaimRequest request, Exchange claimed) {
    return new SettleRequest(request.claim(token(claimed)), new Settlement.Release());
  }

  private static long token(Exchange exchange) {
    return ((ClaimAnswer.Acquired) exchange.claimed().get(0)).token();
  }

  private ClaimRequest request() {
    return request(key);
  }

  private static ClaimRequest request(IdempotencyKey key) {
    return request(key, LEASE);
  }

  private static ClaimRequest request(IdempotencyKey key, Duration lease) {
    return ClaimRequest.builder(key, "me", lease, TTL).build();
  }

  private static IdempotencyKey newKey() {
    return IdempotencyKey.of("inbox", UUID.randomUUID().toString());
  }

  private int effects() {
    Integer count =
        sql.queryForObject("SELECT COUNT(*) FROM effect WHERE id = ?", Integer.class, key.id());
    return count == null ? -1 : count;
  }
}
