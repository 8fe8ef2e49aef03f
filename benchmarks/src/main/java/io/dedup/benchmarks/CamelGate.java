// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import org.apache.camel.component.redis.processor.idempotent.SpringRedisStringIdempotentRepository;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Camel's idempotent consumer: its repositories, called for each record as its processor would call
 * them, without a route around. One write, no completion.
 */
final class CamelGate implements Gate {

  private static final String NAME = "benchmark";

  private final IdempotentRepository repository;
  private final Runnable onClose;

  private CamelGate(IdempotentRepository repository, Runnable onClose) {
    this.repository = repository;
    this.onClose = onClose;
    repository.start();
  }

  static CamelGate onRedis(String uri) {
    LettuceConnectionFactory redis = Redis.factory(uri);
    SpringRedisStringIdempotentRepository repository =
        new SpringRedisStringIdempotentRepository(new StringRedisTemplate(redis), NAME);
    repository.setExpiry(Course.TTL.toSeconds());
    return new CamelGate(repository, redis::destroy);
  }

  static CamelGate onJdbc(String url) {
    HikariDataSource pool = Sql.pool(url);
    return new CamelGate(new JdbcMessageIdRepository(pool, NAME), pool::close);
  }

  @Override
  public boolean opens(ConsumerRecord<byte[], byte[]> record) {
    return repository.add(Dataset.idOf(record));
  }

  @Override
  public void done(ConsumerRecord<byte[], byte[]> record) {
    repository.confirm(Dataset.idOf(record));
  }

  @Override
  public void close() {
    repository.stop();
    onClose.run();
  }
}
