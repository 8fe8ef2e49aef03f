// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.claim.ClaimStore;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.SpringTransactions;
import io.dedup.kafka.IdempotentConsumer;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.redis.RedisClaimStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * A member as an application would build it, with arrows at which it may die. It has a static name
 * in its group, so that its successor need not wait for the session time-out.
 */
final class MemberParts implements AutoCloseable {

  private final Run run;
  private final Mortal mortal;
  private final HikariDataSource database = new HikariDataSource();
  private final JdbcTemplate sql;
  private final LettuceConnectionFactory redis;
  private final Deduplicator deduplicator;
  private final IdempotentConsumer<byte[], byte[]> consumer;

  MemberParts(Run run, Mortal mortal) {
    this.run = run;
    this.mortal = mortal;
    database.setJdbcUrl(run.jdbc());
    database.setMaximumPoolSize(3);
    this.sql = new JdbcTemplate(database);
    this.redis =
        new LettuceConnectionFactory(
            LettuceConnectionFactory.createRedisConfiguration(RedisURI.create(run.redis())));
    redis.afterPropertiesSet();
    redis.start();
    this.deduplicator = deduplicator();
    this.consumer =
        IdempotentConsumer.<byte[], byte[]>builder(
                Map.of(
                    "bootstrap.servers",
                    run.kafka(),
                    "group.id",
                    run.group(),
                    "group.instance.id",
                    "the-one",
                    "auto.offset.reset",
                    "earliest"))
            .topic(
                run.topic(),
                t -> t.key(KeyExtractors.header(Publisher.ID_HEADER)).ttl(Duration.ofDays(1)))
            .deduplicator(deduplicator)
            .lease(Duration.ofSeconds(2))
            .handler(this::effect)
            .build();
  }

  IdempotentConsumer<byte[], byte[]> consumer() {
    return consumer;
  }

  private void effect(ConsumerRecord<byte[], byte[]> record, DedupContext context) {
    mortal.at(Arrow.BEFORE_EFFECT);
    sql.update(
        "insert into "
            + run.effectTable()
            + " (delivery, event, source_partition, source_offset) values (?, '', ?, ?)",
        context.key().id(),
        record.partition(),
        record.offset());
    mortal.at(Arrow.EFFECT_DONE);
  }

  private Deduplicator deduplicator() {
    if (run.mode() == Mode.LEASE_REDIS) {
      ClaimStore store = RedisClaimStore.builder(redis).prefix("dedup-" + run.id()).build();
      // Else what comes again after a crash is anything up to the bound.
      return Deduplicator.builder(new MortalStore(store, mortal)).maxUnsettled(1).build();
    }
    JdbcClaimStore store = JdbcClaimStore.builder(database).table(run.claimTable()).build();
    Deduplicator.Builder builder =
        Deduplicator.builder(new MortalStore(store, mortal)).maxUnsettled(1);
    return run.mode() == Mode.LEASE_JDBC
        ? builder.build()
        : builder
            .transactional(
                new MortalStore(JdbcInbox.of(store), mortal),
                new MortalTransactions(
                    SpringTransactions.of(new JdbcTransactionManager(database)), mortal))
            .build();
  }

  @Override
  public void close() {
    consumer.close();
    deduplicator.close();
    redis.destroy();
    database.close();
  }
}
