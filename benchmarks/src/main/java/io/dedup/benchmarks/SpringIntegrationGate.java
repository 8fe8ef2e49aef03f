// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;
import org.springframework.integration.selector.MetadataStoreSelector;
import org.springframework.messaging.support.MessageBuilder;

/**
 * Spring Integration's idempotent receiver: its message selector on a metadata store, called for
 * each record without the rest of a flow. One write, no completion.
 */
final class SpringIntegrationGate implements Gate {

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS INT_METADATA_STORE (
        METADATA_KEY VARCHAR(255) NOT NULL,
        METADATA_VALUE VARCHAR(4000),
        REGION VARCHAR(100) NOT NULL,
        CONSTRAINT INT_METADATA_STORE_PK PRIMARY KEY (METADATA_KEY, REGION)
      )
      """;

  private final MetadataStoreSelector selector;
  private final Runnable onClose;

  private SpringIntegrationGate(ConcurrentMetadataStore store, Runnable onClose) {
    this.selector =
        new MetadataStoreSelector(
            message -> String.valueOf(message.getHeaders().get(Dataset.ID_HEADER)), store);
    this.onClose = onClose;
  }

  static SpringIntegrationGate onRedis(String uri) {
    LettuceConnectionFactory redis = Redis.factory(uri);
    return new SpringIntegrationGate(new RedisMetadataStore(redis), redis::destroy);
  }

  static SpringIntegrationGate onJdbc(String url) throws SQLException {
    HikariDataSource pool = Sql.pool(url);
    Sql.execute(pool, TABLE);
    JdbcMetadataStore store = new JdbcMetadataStore(pool);
    store.afterPropertiesSet();
    store.start();
    return new SpringIntegrationGate(store, pool::close);
  }

  @Override
  public boolean opens(ConsumerRecord<byte[], byte[]> record) {
    return selector.accept(
        MessageBuilder.withPayload(record.value())
            .setHeader(Dataset.ID_HEADER, Dataset.idOf(record))
            .build());
  }

  @Override
  public void done(ConsumerRecord<byte[], byte[]> record) {}

  @Override
  public void close() {
    onClose.run();
  }
}
