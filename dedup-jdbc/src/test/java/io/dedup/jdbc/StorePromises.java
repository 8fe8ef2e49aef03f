// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedup.Transactions;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import io.dedup.testkit.ManualTime;
import io.dedup.testkit.server.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the store promises on every database, beyond the contract of stores. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StorePromises {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration TTL = Duration.ofDays(1);
  private static final int SECONDS_MAX = 60;

  @RegisterExtension static final Pools pools = new Pools();

  private Database database;
  private HikariDataSource pool;
  private JdbcTemplate sql;

  abstract Database newDatabase();

  @BeforeAll
  void makeTable() {
    database = newDatabase();
    pool = pools.of(database, 8);
    Pools.withTable(pool);
    sql = new JdbcTemplate(pool);
  }

  @Test
  void aClaimOutlivesTheCallersTransaction() {
    JdbcClaimStore store = store(pool);
    ClaimRequest request = request();
    Transactions transactions = SpringTransactions.of(new JdbcTransactionManager(pool));

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      claim(store, request);
                      throw new IllegalStateException("handler");
                    }))
        .hasMessage("handler");

    assertThat(store.find(request.key())).isPresent();
  }

  @Test
  void aProxyOfTheCallersTransactionIsLookedThrough() {
    JdbcClaimStore store = store(new TransactionAwareDataSourceProxy(pool));
    ClaimRequest request = request();
    TransactionTemplate rolledBack = new TransactionTemplate(new JdbcTransactionManager(pool));

    rolledBack.executeWithoutResult(
        status -> {
          claim(store, request);
          status.setRollbackOnly();
        });

    assertThat(store.find(request.key())).isPresent();
  }

  /** Its replica has no table. */
  @Test
  void aReadOnlyTransactionOfTheCallerDoesNotLeadToAReplica() {
    DataSource routing = new RoutedByReadOnly(pool, pools.of(newDatabase(), 2));
    JdbcClaimStore store = store(routing);
    TransactionTemplate readOnly = new TransactionTemplate(new JdbcTransactionManager(pool));
    readOnly.setReadOnly(true);

    ClaimAnswer answer = readOnly.execute(status -> claim(store, request()));

    assertThat(answer).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  /** Whatever a pool hands out, the store works, and hands it back as it was. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void connectionsAreHandedBackAsTheyCame(int isolation) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      JdbcClaimStore store = store(Connections.from(() -> Connections.neverClosed(connection)));
      ClaimRequest request = request();

      long token = acquired(claim(store, request)).token();
      assertThat(claim(store, request())).isInstanceOf(ClaimAnswer.Acquired.class);
      assertThat(complete(store, request, token)).isInstanceOf(SettleAnswer.Applied.class);

      assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(store(pool).find(request.key())).isPresent();
    }
  }

  @Test
  void batchesThatOverlapInOppositeOrderNeverDeadlock() throws Exception {
    int rounds = 15;
    JdbcClaimStore store = store(pool);
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < rounds; round++) {
        List<IdempotencyKey> keys = IntStream.range(0, 100).mapToObj(i -> newKey()).toList();
        List<IdempotencyKey> reversed = new ArrayList<>(keys);
        Collections.reverse(reversed);
        Future<Integer> one = threads.submit(() -> claimAndComplete(store, keys, together));
        Future<Integer> other = threads.submit(() -> claimAndComplete(store, reversed, together));
        assertThat(
                one.get(SECONDS_MAX, TimeUnit.SECONDS) + other.get(SECONDS_MAX, TimeUnit.SECONDS))
            .isEqualTo(keys.size());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each of four threads holds one of four connections, and asks for another. */
  @Test
  void aPoolThatIsTooSmallIsTroubleWithTheStoreAndNoHang() throws Exception {
    HikariDataSource four = pools.of(database, 4, StorePromises::impatient);
    await()
        .atMost(Duration.ofSeconds(SECONDS_MAX))
        .until(() -> four.getHikariPoolMXBean().getTotalConnections() == 4);
    JdbcClaimStore store = store(four);
    assertThat(claim(store, request())).isInstanceOf(ClaimAnswer.Acquired.class);
    Transactions transactions = SpringTransactions.of(new JdbcTransactionManager(four));
    CyclicBarrier allHold = new CyclicBarrier(4);

    List<String> outcomes =
        inFourThreads(
            () ->
                transactions.inTransaction(
                    () -> {
                      allHold.await(SECONDS_MAX, TimeUnit.SECONDS);
                      try {
                        return claim(store, request()).getClass().getSimpleName();
                      } catch (StoreUnavailable e) {
                        return "StoreUnavailable";
                      } finally {
                        allHold.await(SECONDS_MAX, TimeUnit.SECONDS);
                      }
                    }));

    assertThat(outcomes).hasSize(4).containsOnly("StoreUnavailable");
  }

  /** The inbox works on the connection that is there. */
  @Test
  void anInboxNeedsNoSecondConnection() throws Exception {
    HikariDataSource four = pools.of(database, 4);
    JdbcInbox inbox = JdbcInbox.of(store(four));
    Transactions transactions = SpringTransactions.of(new JdbcTransactionManager(four));
    CyclicBarrier allHold = new CyclicBarrier(4);

    List<String> outcomes =
        inFourThreads(
            () ->
                transactions.inTransaction(
                    () -> {
                      allHold.await(SECONDS_MAX, TimeUnit.SECONDS);
                      return claim(inbox, request()).getClass().getSimpleName();
                    }));

    assertThat(outcomes).hasSize(4).containsOnly("Acquired");
  }

  @Test
  void aBatchCostsAsManyStatementsAsASingleKey() {
    CountingDataSource counting = new CountingDataSource(pool);
    JdbcClaimStore store = store(counting.dataSource());
    claim(store, request());

    int one = counting.executionsOf(() -> exchange(store, 1));
    int hundred = counting.executionsOf(() -> exchange(store, 100));

    assertThat(hundred).isEqualTo(one);
  }

  /** Each row is locked when it is written, so only a mistake of ours can come so far. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aWriteOverAnotherRecordThanTheOneThatWasReadChangesNothing(int size) {
    JdbcClaimStore store = store(pool);
    List<ClaimRequest> requests = Stream.generate(StorePromises::request).limit(size).toList();
    store.claim(requests);
    List<Change> mistaken = new ArrayList<>();
    for (ClaimRequest request : requests) {
      ClaimRecord read = store.find(request.key()).orElseThrow();
      StoredKey stored = StoredKey.of(KeyFormat.digest(), request.key());
      mistaken.add(new Change(stored, withToken(read, read.token() - 1), read));
    }
    mistaken.set(
        0,
        new Change(new StoredKey(new byte[] {1}), mistaken.get(0).next(), mistaken.get(0).next()));

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        "update",
                        (connection, table) -> {
                          table.update(connection, mistaken);
                          return null;
                        }))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("a row changed while it was locked");

    assertThat(
            sql.queryForObject(
                "SELECT COUNT(*) FROM dedup_claim WHERE dedup_key = ?", Long.class, new byte[] {1}))
        .isZero();
  }

  private static ClaimRecord withToken(ClaimRecord r, long token) {
    return new ClaimRecord(
        r.state(),
        r.claimId(),
        token,
        r.owner(),
        r.busyUntil(),
        r.start(),
        r.takenOver(),
        r.attempts(),
        r.fingerprint(),
        r.origin(),
        r.forced(),
        r.result(),
        r.error(),
        r.created(),
        r.updated(),
        r.expires());
  }

  @ParameterizedTest
  @ValueSource(strings = {"format = 2", "state = 9", "start_mark = 7", "fp_algorithm = 300"})
  void aRowThatNoRecordCanBeIsReportedAndLeftAlone(String change) {
    ManualTime time = ManualTime.atBeginning();
    JdbcClaimStore store = JdbcClaimStore.builder(pool).time(time).build();
    ClaimRequest request = request();
    long token = acquired(claim(store, request)).token();
    setRow(request, change);
    Map<String, Object> before = row(request);

    assertThatThrownBy(() -> store.find(request.key())).isInstanceOf(StoreCorrupt.class);
    assertThatThrownBy(() -> claim(store, request)).isInstanceOf(StoreCorrupt.class);
    assertThatThrownBy(() -> complete(store, request, token)).isInstanceOf(StoreCorrupt.class);
    time.advance(TTL.multipliedBy(3));
    assertThatThrownBy(() -> claim(store, request)).isInstanceOf(StoreCorrupt.class);
    if (change.startsWith("format")) {
      store.purgeExpired(1000);
    }
    assertThat(row(request)).usingRecursiveComparison().isEqualTo(before);

    store.forget(request.key());
    assertThat(claim(store, request())).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  @Test
  void anOwnerOfAnyCharactersIsKept() {
    JdbcClaimStore store = store(pool);
    String owner = "é\uD83D\uDE00漢'\"\\;--".repeat(12);
    ClaimRequest request = ClaimRequest.builder(newKey(), owner, LEASE, TTL).build();
    claim(store, request);

    assertThat(store.find(request.key())).get().returns(owner, r -> r.owner());
  }

  @Test
  void expiredRowsThatNobodyPurgedAreAbsent() {
    ManualTime time = ManualTime.atBeginning();
    JdbcClaimStore store = JdbcClaimStore.builder(pool).time(time).build();
    ClaimRequest request = request();
    complete(store, request, acquired(claim(store, request)).token());
    time.advance(TTL);

    assertThat(store.find(request.key())).isEmpty();
    assertThat(row(request)).isNotEmpty();
    ClaimRequest again = ClaimRequest.builder(request.key(), "me", LEASE, TTL).build();
    assertThat(claim(store, again)).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  private static void impatient(HikariConfig config) {
    config.setMinimumIdle(config.getMaximumPoolSize());
    config.setConnectionTimeout(300);
  }

  JdbcClaimStore store(DataSource dataSource) {
    return JdbcClaimStore.builder(dataSource).build();
  }

  Database database() {
    return database;
  }

  static ClaimRequest request() {
    return ClaimRequest.builder(newKey(), "me", LEASE, TTL).build();
  }

  static ClaimAnswer claim(ClaimStore store, ClaimRequest request) {
    return store.claim(List.of(request)).claimed().get(0);
  }

  private static Exchange exchange(ClaimStore store, int size) {
    List<ClaimRequest> requests = IntStream.range(0, size).mapToObj(i -> request()).toList();
    Exchange claimed = store.claim(requests);
    return store.exchange(
        completions(requests, claimed), IntStream.range(0, size).mapToObj(i -> request()).toList());
  }

  static List<SettleRequest> completions(List<ClaimRequest> requests, Exchange claimed) {
    List<SettleRequest> completions = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      if (claimed.claimed().get(i) instanceof ClaimAnswer.Acquired acquired) {
        completions.add(
            new SettleRequest(
                requests.get(i).claim(acquired.token()), new Settlement.Complete(null, TTL)));
      }
    }
    return completions;
  }

  private static SettleAnswer complete(ClaimStore store, ClaimRequest request, long token) {
    SettleRequest complete =
        new SettleRequest(request.claim(token), new Settlement.Complete(null, TTL));
    return store.settle(List.of(complete)).settled().get(0);
  }

  /** Returns how many of the keys it got. */
  private static int claimAndComplete(
      ClaimStore store, List<IdempotencyKey> keys, CyclicBarrier together) throws Exception {
    List<ClaimRequest> requests =
        keys.stream().map(key -> ClaimRequest.builder(key, "me", LEASE, TTL).build()).toList();
    together.await(SECONDS_MAX, TimeUnit.SECONDS);
    Exchange claimed = store.claim(requests);
    List<SettleRequest> completions = completions(requests, claimed);
    assertThat(store.settle(completions).settled())
        .hasOnlyElementsOfType(SettleAnswer.Applied.class);
    return completions.size();
  }

  private static List<String> inFourThreads(Transactions.Work<String> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<String>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        running.add(threads.submit(work::run));
      }
      List<String> outcomes = new ArrayList<>();
      for (Future<String> one : running) {
        outcomes.add(one.get(SECONDS_MAX, TimeUnit.SECONDS));
      }
      return outcomes;
    } finally {
      threads.shutdownNow();
    }
  }

  private void setRow(ClaimRequest request, String change) {
    sql.update("UPDATE dedup_claim SET " + change + " WHERE claim_id = ?", id(request));
  }

  private Map<String, Object> row(ClaimRequest request) {
    return sql.queryForMap("SELECT * FROM dedup_claim WHERE claim_id = ?", id(request));
  }

  private static byte[] id(ClaimRequest request) {
    return request.claimId().toBytes();
  }

  private static IdempotencyKey newKey() {
    return IdempotencyKey.of("store", UUID.randomUUID().toString());
  }

  private static ClaimAnswer.Acquired acquired(ClaimAnswer answer) {
    return (ClaimAnswer.Acquired) answer;
  }
}
