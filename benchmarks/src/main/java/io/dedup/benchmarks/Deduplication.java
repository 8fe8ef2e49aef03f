// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.Deduplicator;
import io.dedup.claim.TieredStore;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.JdbcSchema;
import io.dedup.jdbc.SpringTransactions;
import io.dedup.redis.RedisClaimStore;
import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A deduplicator as an application sets it up, defaults included, with its connections. */
final class Deduplication implements AutoCloseable {

  private final Deque<Runnable> onClose = new ArrayDeque<>();
  private final Deduplicator deduplicator;

  enum Mode {
    LEASE_ON_REDIS,
    LEASE_ON_JDBC,
    TRANSACTIONAL,
    TIERED
  }

  private Deduplication(Mode mode, Stores stores) {
    try {
      this.deduplicator =
          switch (mode) {
            case LEASE_ON_REDIS -> Deduplicator.builder(redis(stores)).build();
            case LEASE_ON_JDBC -> Deduplicator.builder(jdbc(pool(stores))).build();
            case TRANSACTIONAL -> transactional(pool(stores));
            case TIERED -> tiered(pool(stores), factory(stores));
          };
      onClose.push(deduplicator::close);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  static Deduplication open(Mode mode, Stores stores) {
    return new Deduplication(mode, stores);
  }

  Deduplicator deduplicator() {
    return deduplicator;
  }

  private Deduplicator transactional(HikariDataSource pool) {
    JdbcClaimStore store = jdbc(pool);
    return Deduplicator.builder(store)
        .transactional(JdbcInbox.of(store), SpringTransactions.of(new JdbcTransactionManager(pool)))
        .build();
  }

  private Deduplicator tiered(HikariDataSource pool, LettuceConnectionFactory redis) {
    JdbcClaimStore database = jdbc(pool);
    TieredStore store =
        TieredStore.of(
            database,
            database::identity,
            id -> RedisClaimStore.builder(redis).prefix("dedup:" + id).build());
    store.verify();
    return Deduplicator.builder(store)
        .transactional(
            JdbcInbox.of(database), SpringTransactions.of(new JdbcTransactionManager(pool)))
        .build();
  }

  private RedisClaimStore redis(Stores stores) {
    RedisClaimStore store = RedisClaimStore.builder(factory(stores)).build();
    store.verify();
    return store;
  }

  private LettuceConnectionFactory factory(Stores stores) {
    LettuceConnectionFactory factory = Redis.factory(stores.redis());
    onClose.push(factory::destroy);
    return factory;
  }

  private HikariDataSource pool(Stores stores) {
    HikariDataSource pool = Sql.pool(stores.jdbc());
    onClose.push(pool::close);
    return pool;
  }

  private static JdbcClaimStore jdbc(HikariDataSource pool) {
    JdbcSchema.of(pool).createIfMissing();
    return JdbcClaimStore.builder(pool).build();
  }

  @Override
  public void close() {
    while (!onClose.isEmpty()) {
      onClose.pop().run();
    }
  }
}
