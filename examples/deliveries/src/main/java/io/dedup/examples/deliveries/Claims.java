// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.Deduplicator;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.TieredStore;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.SpringTransactions;
import io.dedup.redis.RedisClaimStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A member's connections, and what has effects happen once over them, by the run's mode. */
final class Claims implements AutoCloseable {

  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

  private final Run run;
  private final HikariDataSource database = new HikariDataSource();
  private final @Nullable LettuceConnectionFactory redis;
  private final Deduplicator deduplicator;

  Claims(Run run, int maxUnsettled) {
    this.run = run;
    database.setJdbcUrl(run.jdbc());
    database.setMaximumPoolSize(4);
    this.redis = run.mode().needsRedis() ? connect(run.redis()) : null;
    this.deduplicator = make().commandTimeout(COMMAND_TIMEOUT).maxUnsettled(maxUnsettled).build();
  }

  Deduplicator deduplicator() {
    return deduplicator;
  }

  /** Returns what takes part in the transaction of its thread. */
  JdbcTemplate sql() {
    return new JdbcTemplate(database);
  }

  private Deduplicator.Builder make() {
    String prefix = "dedup-" + run.id();
    JdbcClaimStore rows = JdbcClaimStore.builder(database).table(run.claimTable()).build();
    return switch (run.mode()) {
      case LEASE_REDIS -> Deduplicator.builder(redisStore(prefix));
      case LEASE_JDBC -> Deduplicator.builder(rows);
      case TRANSACTIONAL -> transactional(rows, rows);
      case TIERED -> {
        TieredStore tiered =
            TieredStore.of(rows, rows::identity, identity -> redisStore(prefix + ":" + identity));
        tiered.verify();
        yield transactional(tiered, rows);
      }
    };
  }

  private Deduplicator.Builder transactional(ClaimStore store, JdbcClaimStore rows) {
    return Deduplicator.builder(store)
        .transactional(
            JdbcInbox.of(rows), SpringTransactions.of(new JdbcTransactionManager(database)));
  }

  private RedisClaimStore redisStore(String prefix) {
    if (redis == null) {
      throw new IllegalStateException("no Redis in mode " + run.mode());
    }
    return RedisClaimStore.builder(redis).prefix(prefix).build();
  }

  private static LettuceConnectionFactory connect(String uri) {
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(
            LettuceConnectionFactory.createRedisConfiguration(RedisURI.create(uri)),
            LettuceClientConfiguration.builder().commandTimeout(COMMAND_TIMEOUT).build());
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }

  @Override
  public void close() {
    deduplicator.close();
    if (redis != null) {
      redis.destroy();
    }
    database.close();
  }
}
