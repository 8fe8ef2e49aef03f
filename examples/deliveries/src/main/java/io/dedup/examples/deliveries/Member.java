// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.SpringTransactions;
import io.dedup.kafka.BackOff;
import io.dedup.kafka.DeadLetters;
import io.dedup.kafka.IdempotentConsumer;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.redis.RedisClaimStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** One member of the group: a consumer, and all that it needs. */
final class Member implements AutoCloseable {

  /** A dead member's partitions move after this; its leases are over by then. */
  private static final int SESSION_TIMEOUT_MS = 6_000;

  private static final int HEARTBEAT_INTERVAL_MS = 1_500;
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

  private final Run run;
  private final HikariDataSource database;
  private final JdbcTemplate sql;
  private final @Nullable LettuceConnectionFactory redis;
  private final Deduplicator deduplicator;
  private final KafkaProducer<byte[], byte[]> producer;
  private final IdempotentConsumer<byte[], byte[]> consumer;

  Member(Run run) {
    this.run = run;
    this.database = new HikariDataSource();
    database.setJdbcUrl(run.jdbc());
    database.setMaximumPoolSize(4);
    this.sql = new JdbcTemplate(database);
    this.redis = run.mode().needsRedis() ? connect(run.redis()) : null;
    this.deduplicator = deduplicator();
    this.producer = new KafkaProducer<>(producerProperties(run.kafka()));
    this.consumer =
        IdempotentConsumer.<byte[], byte[]>builder(consumerProperties())
            .topic(
                run.topic(),
                topic ->
                    topic
                        .key(KeyExtractors.header(Publisher.ID_HEADER))
                        .fingerprint(Fingerprints.raw())
                        .ttl(Duration.ofDays(1)))
            .deduplicator(deduplicator)
            .backOff(new BackOff(Duration.ofMillis(100), Duration.ofSeconds(2), 5))
            .deadLetters(DeadLetters.to(producer))
            .handler(this::record)
            .build();
  }

  /** The effect: a row. The table has no unique constraint, so that a double run would show. */
  private void record(ConsumerRecord<byte[], byte[]> record, DedupContext context) {
    sql.update(
        "insert into "
            + run.effectTable()
            + " (delivery, event, source_partition, source_offset, token) values (?, ?, ?, ?, ?)",
        context.key().id(),
        header(record, Publisher.EVENT_HEADER),
        record.partition(),
        record.offset(),
        context.fencingToken());
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }

  private Deduplicator deduplicator() {
    Deduplicator.Builder builder =
        switch (run.mode()) {
          case LEASE_REDIS -> Deduplicator.builder(redisStore());
          case LEASE_JDBC -> Deduplicator.builder(jdbcStore());
          case TRANSACTIONAL -> transactional(jdbcStore());
        };
    return builder.commandTimeout(COMMAND_TIMEOUT).build();
  }

  private Deduplicator.Builder transactional(JdbcClaimStore store) {
    return Deduplicator.builder(store)
        .transactional(
            JdbcInbox.of(store), SpringTransactions.of(new JdbcTransactionManager(database)));
  }

  private RedisClaimStore redisStore() {
    if (redis == null) {
      throw new IllegalStateException("no Redis in mode " + run.mode());
    }
    return RedisClaimStore.builder(redis).prefix("dedup-" + run.id()).build();
  }

  private JdbcClaimStore jdbcStore() {
    return JdbcClaimStore.builder(database).table(run.claimTable()).build();
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

  private Map<String, Object> consumerProperties() {
    return Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        run.kafka(),
        ConsumerConfig.GROUP_ID_CONFIG,
        run.group(),
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "earliest",
        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
        SESSION_TIMEOUT_MS,
        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
        HEARTBEAT_INTERVAL_MS);
  }

  static Map<String, Object> producerProperties(String kafka) {
    return Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        kafka,
        ProducerConfig.ACKS_CONFIG,
        "all",
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        // Keyless records go round the partitions one by one, so that duplicates meet on different
        // members.
        ProducerConfig.PARTITIONER_CLASS_CONFIG,
        "org.apache.kafka.clients.producer.RoundRobinPartitioner");
  }

  void start() {
    consumer.start();
  }

  void run() {
    consumer.run();
  }

  /** Returns what ended the consumer, null if it has not failed. */
  @Nullable Throwable failure() {
    return consumer.status().failure();
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
    deduplicator.close();
    if (redis != null) {
      redis.destroy();
    }
    database.close();
  }
}
