// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.DuplicateReason;
import io.dedup.Outcome;
import io.dedup.ResultCodec;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.TieredStore;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.redis.RedisClaimStore;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A PostgreSQL that decides and a Redis in front of it: each may be lost. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TieredOnPostgresTest {

  private static final IdempotencyKey KEY = IdempotencyKey.of("payments", "4711");

  @RegisterExtension static final ServerExtension<PostgresServer> postgres = Servers.postgres();
  @RegisterExtension static final Pools pools = new Pools();

  private final RedisServer redis = RedisServer.start();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** A member: the application, its pool and its connection to Redis. */
  private final class Member {
    final HikariDataSource dataSource;
    final JdbcTemplate sql;
    final JdbcClaimStore database;
    final LettuceConnectionFactory factory;
    final TieredStore stores;
    final Deduplicator dedup;

    Member(Database where) {
      dataSource = pools.of(where, 4);
      Pools.withTable(dataSource);
      sql = new JdbcTemplate(dataSource);
      sql.execute("CREATE TABLE IF NOT EXISTS charge (offset_id bigint NOT NULL)");
      database = JdbcClaimStore.builder(dataSource).build();
      factory =
          new LettuceConnectionFactory(
              new RedisStandaloneConfiguration(redis.host(), redis.port()),
              LettuceClientConfiguration.builder().commandTimeout(Duration.ofSeconds(2)).build());
      factory.afterPropertiesSet();
      factory.start();
      open.add(factory::destroy);
      stores =
          TieredStore.of(
              database,
              database::identity,
              id -> RedisClaimStore.builder(factory).prefix("dedup:" + id).build());
      stores.verify();
      dedup =
          Deduplicator.builder(stores)
              .transactional(
                  JdbcInbox.of(database),
                  SpringTransactions.of(new JdbcTransactionManager(dataSource)))
              .build();
      open.add(dedup);
    }

    Outcome<String> deliver(long offset) {
      return deliver(from(offset));
    }

    Outcome<String> deliver(Delivery delivery) {
      return dedup.execute(
          delivery,
          context -> {
            sql.update("INSERT INTO charge VALUES (1)");
            return "receipt";
          },
          ResultCodec.text(),
          dedup.policy());
    }

    int charges() {
      return sql.queryForObject("SELECT count(*) FROM charge", Integer.class);
    }

    void flushRedis() {
      try (RedisConnection connection = factory.getConnection()) {
        connection.serverCommands().flushAll();
      }
    }

    /** Whoever asks the inbox now waits until it is too late. */
    void withoutInbox(Runnable work) throws SQLException {
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("LOCK TABLE dedup_claim IN ACCESS EXCLUSIVE MODE");
        work.run();
        connection.rollback();
      }
    }
  }

  private static Delivery from(long offset) {
    return Delivery.of(KEY)
        .withOrigin(Origin.kafka("cluster", "orders", 0, offset, 0))
        .withFingerprint(Fingerprint.raw(new byte[] {1}));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    redis.close();
  }

  @Test
  void whatIsDoneIsAnsweredWithoutTheInbox() throws SQLException {
    Member process = new Member(postgres.get().createDatabase());
    process.deliver(1);

    process.withoutInbox(
        () -> {
          Outcome.Duplicate<String> answer = (Outcome.Duplicate<String>) process.deliver(2);
          assertThat(answer.value()).isEqualTo("receipt");
          assertThat(answer.reason()).isEqualTo(DuplicateReason.OTHER_RECORD);
          Delivery other = from(3).withFingerprint(Fingerprint.raw(new byte[] {2}));
          assertThat(process.deliver(other)).isInstanceOf(Outcome.Conflict.class);
        });
    assertThat(process.charges()).isEqualTo(1);
  }

  @Test
  void theCopyHasTheTokenAndTheExpiryOfTheRow() {
    Member process = new Member(postgres.get().createDatabase());
    process.deliver(1);

    ClaimRecord row = process.database.find(KEY).orElseThrow();
    ClaimRecord copy = process.stores.front().find(KEY).orElseThrow();
    assertThat(copy.token()).isEqualTo(row.token());
    assertThat(copy.expires()).isEqualTo(row.expires());
    assertThat(copy.updated()).isEqualTo(row.updated());
  }

  @Test
  void aFlushCostsSpeedOnlyAndIsMadeUpFor() throws SQLException {
    Member process = new Member(postgres.get().createDatabase());
    process.deliver(1);
    process.flushRedis();

    assertThat(process.deliver(1)).isInstanceOf(Outcome.Duplicate.class);
    process.withoutInbox(
        () -> assertThat(process.deliver(1)).isInstanceOf(Outcome.Duplicate.class));
    assertThat(process.charges()).isEqualTo(1);
  }

  @Test
  void aRedisThatIsKilledCostsSpeedOnlyAndNothingIsReopenedMeanwhile() {
    Member process = new Member(postgres.get().createDatabase());
    process.deliver(1);
    redis.kill();

    assertThat(process.deliver(1)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(process.deliver(from(2).asForced())).isInstanceOf(Outcome.Executed.class);
    assertThatThrownBy(() -> process.stores.reopen(KEY, "olga", "wrong account"))
        .isInstanceOf(StoreUnavailable.class);
    assertThat(process.deliver(1)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(process.charges()).isEqualTo(2);

    redis.restart();
    await()
        .ignoreException(StoreUnavailable.class)
        .until(
            () ->
                process.stores.reopen(KEY, "olga", "wrong account")
                    instanceof SettleAnswer.Applied);
    assertThat(process.deliver(1)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aReopenedKeyRunsOnceMoreThoughASlowProcessBringsItsCopyAfterwards() {
    Database database = postgres.get().createDatabase();
    Member process = new Member(database);
    process.deliver(1);
    ClaimRecord late = process.stores.front().find(KEY).orElseThrow();

    process.stores.reopen(KEY, "olga", "wrong account");
    assertThat(new Member(database).stores.front().merge(Map.of(KEY, late))).isZero();

    assertThat(process.deliver(1)).isInstanceOf(Outcome.Executed.class);
    assertThat(process.deliver(1)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(process.charges()).isEqualTo(2);
  }

  @Test
  void amongDuplicatesAndFlushesEachEffectHappensOnce() throws Exception {
    Database database = postgres.get().createDatabase();
    List<Member> members = List.of(new Member(database), new Member(database));
    int keys = 60;
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> deliveries = new ArrayList<>();
      for (int i = 0; i < keys * 5; i++) {
        IdempotencyKey key = IdempotencyKey.of("payments", "n" + i * 7 % keys);
        Member member = members.get(i % members.size());
        boolean flushes = i % 25 == 0;
        deliveries.add(
            threads.submit(
                () -> {
                  if (flushes) {
                    member.flushRedis();
                  }
                  // Busy elsewhere: it comes again.
                  await().until(() -> member.deliver(Delivery.of(key)).isDone());
                }));
      }
      for (Future<?> delivery : deliveries) {
        delivery.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(members.get(0).charges()).isEqualTo(keys);
  }

  @Test
  void whatRedisHoldsOfAnotherDatabaseIsNotSeen() {
    new Member(postgres.get().createDatabase()).deliver(1);

    Member other = new Member(postgres.get().createDatabase());

    assertThat(other.deliver(1)).isInstanceOf(Outcome.Executed.class);
  }

  /** The row of a commit is lost with the primary, and Redis still has its copy. */
  @Test
  void afterAPromotionARunningProcessDoesNotBelieveCopiesOfLostRows() throws Exception {
    try (PostgresServer server = PostgresServer.start("restore_command = 'false'")) {
      Member process =
          new Member(new Database(server.jdbcUrl(), server.username(), server.password()));
      process.deliver(1);
      String before = process.database.identity();
      ClaimStore frontBefore = process.stores.front();
      Path data = Path.of(process.sql.queryForObject("SHOW data_directory", String.class));

      server.stop();
      Files.createFile(data.resolve("recovery.signal"));
      server.restart();
      process.dataSource.getHikariPoolMXBean().softEvictConnections();
      await()
          .until(() -> process.sql.queryForObject("SELECT NOT pg_is_in_recovery()", Boolean.class));
      process.sql.update("DELETE FROM dedup_claim");
      process.sql.update("DELETE FROM charge");

      assertThat(process.database.identity()).isNotEqualTo(before);
      await().until(() -> process.stores.front() != frontBefore);
      assertThat(process.deliver(1)).isInstanceOf(Outcome.Executed.class);
      assertThat(process.charges()).isEqualTo(1);
    }
  }
}
