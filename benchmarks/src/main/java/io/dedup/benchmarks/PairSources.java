// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcSchema;
import io.dedup.redis.RedisClaimStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Opens what claims and completes without Kafka. */
final class PairSources {

  private PairSources() {}

  /** By the names of contenders; the first is what the others are compared with. */
  static Map<String, Function<Stores, Pairs>> all() {
    Map<String, Function<Stores, Pairs>> all = new LinkedHashMap<>();
    all.put(
        "limit-redis-pipelined",
        stores -> new LimitPairs(new RedisLimit(stores.redis(), RedisLimit.Calls.PIPELINED)));
    all.put(
        "limit-redis-script",
        stores -> new LimitPairs(new RedisLimit(stores.redis(), RedisLimit.Calls.ONE_SCRIPT)));
    all.put("lease-redis", stores -> onRedis(stores.redis()));
    all.put("lease-jdbc", stores -> onJdbc(stores.jdbc(), JdbcClaimStore.DEFAULT_TABLE));
    all.put("set-nx", stores -> new SetNxPairs(new SetNxGate(stores.redis())));
    return all;
  }

  static StorePairs onRedis(String uri) {
    LettuceConnectionFactory factory = Redis.factory(uri);
    return new StorePairs(RedisClaimStore.builder(factory).build(), factory::destroy);
  }

  static StorePairs onJdbc(String url, String table) {
    HikariDataSource pool = Sql.pool(url);
    JdbcSchema.of(pool, table).createIfMissing();
    return new StorePairs(JdbcClaimStore.builder(pool).table(table).build(), pool::close);
  }
}
