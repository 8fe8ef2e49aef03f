// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The way of many blog posts: {@code SET … NX} before the effect, {@code SET} after it; and a
 * {@code GET} where the first finds something, which may be done or in progress.
 */
final class SetNxGate implements Gate {

  private static final String PREFIX = "event:";
  private static final String PROCESSING = "PROCESSING";
  private static final String COMPLETED = "COMPLETED";

  private final Redis.Link redis;
  private final RedisCommands<String, String> commands;

  SetNxGate(String uri) {
    this.redis = Redis.connect(uri);
    this.commands = redis.connection().sync();
  }

  @Override
  public boolean opens(ConsumerRecord<byte[], byte[]> record) {
    return opens(Dataset.idOf(record));
  }

  boolean opens(String id) {
    String key = PREFIX + id;
    if (commands.set(key, PROCESSING, SetArgs.Builder.nx().ex(Course.TTL)) != null) {
      return true;
    }
    String found = commands.get(key);
    if (!COMPLETED.equals(found)) {
      throw new IllegalStateException("in progress, and nobody else is here");
    }
    return false;
  }

  @Override
  public void done(ConsumerRecord<byte[], byte[]> record) {
    done(Dataset.idOf(record));
  }

  void done(String id) {
    commands.set(PREFIX + id, COMPLETED, SetArgs.Builder.ex(Course.TTL));
  }

  @Override
  public void close() {
    redis.close();
  }
}
