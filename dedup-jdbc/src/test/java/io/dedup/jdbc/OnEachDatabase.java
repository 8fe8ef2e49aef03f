// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Runs each test on each database, in a fresh database of it. */
@ParameterizedClass
@EnumSource
abstract class OnEachDatabase {

  @RegisterExtension static final ServerExtension<PostgresServer> postgres = Servers.postgres();
  @RegisterExtension static final ServerExtension<MariaDbServer> mariadb = Servers.mariadb();
  @RegisterExtension static final Pools pools = new Pools();

  static final int THREADS = 8;

  private static final int TRIES_MAX = 200;
  private static final int SECONDS_MAX = 60;
  private static final Map<Product, HikariDataSource> open = new EnumMap<>(Product.class);

  @Parameter Product product;

  /** What a database is called here. */
  enum Product {
    POSTGRESQL,
    MARIADB,
    H2
  }

  HikariDataSource dataSource() {
    synchronized (open) {
      HikariDataSource known = open.get(product);
      if (known == null || known.isClosed()) {
        known = pools.of(newDatabase(), THREADS + 2);
        open.put(product, known);
      }
      return known;
    }
  }

  /** Returns another pool on the same database, whose connections come without auto-commit. */
  HikariDataSource notCommitting(int size) {
    HikariDataSource source = dataSource();
    return pools.of(
        new Database(source.getJdbcUrl(), source.getUsername(), source.getPassword()),
        size,
        config -> config.setAutoCommit(false));
  }

  Database newDatabase() {
    return switch (product) {
      case POSTGRESQL -> postgres.get().createDatabase();
      case MARIADB -> mariadb.get().createDatabase();
      case H2 -> Pools.h2();
    };
  }

  JdbcTemplate sql() {
    return new JdbcTemplate(dataSource());
  }

  Transactions transactions() {
    return SpringTransactions.of(new JdbcTransactionManager(dataSource()));
  }

  Transactions transactions(int isolation) {
    DefaultTransactionDefinition settings = new DefaultTransactionDefinition();
    settings.setIsolationLevel(isolation);
    return SpringTransactions.of(new JdbcTransactionManager(dataSource()), settings);
  }

  /** A name that nobody has. */
  static String newName(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
  }

  /** Does the work in a transaction that begins with a snapshot, made before {@code rival} ran. */
  <T> T behindASnapshot(int isolation, Transactions.Work<?> rival, Transactions.Work<T> work)
      throws Exception {
    sql().execute("CREATE TABLE IF NOT EXISTS snapshot (id INT)");
    return transactions(isolation)
        .inTransaction(
            () -> {
              // Of another table, as a reading may lock what it reads.
              sql().queryForObject("SELECT COUNT(*) FROM snapshot", Integer.class);
              Rival.in(transactions(), rival).commit();
              return work.run();
            });
  }

  /**
   * Returns what may be said after a rival that committed behind our snapshot: PostgreSQL ends the
   * transaction, a locking read of MariaDB sees what is there, and H2 does either.
   */
  Set<String> behindASnapshot(String current) {
    return switch (product) {
      case POSTGRESQL -> Set.of("conflict");
      case MARIADB -> Set.of(current);
      case H2 -> Set.of("conflict", current);
    };
  }

  /** Does the work, as a whole again while the database decides for others. */
  static <T> T againstConflicts(Transactions transactions, Transactions.Work<T> work)
      throws Exception {
    for (int i = 1; ; i++) {
      try {
        return transactions.inTransaction(work);
      } catch (TransactionConflict e) {
        if (i == TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  /** Returns what the work answered in each of many threads that began it together. */
  static <T> List<T> together(Transactions.Work<T> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier begin = new CyclicBarrier(THREADS);
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(
            threads.submit(
                () -> {
                  begin.await(SECONDS_MAX, TimeUnit.SECONDS);
                  return work.run();
                }));
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> one : running) {
        answers.add(one.get(SECONDS_MAX, TimeUnit.SECONDS));
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }
}
