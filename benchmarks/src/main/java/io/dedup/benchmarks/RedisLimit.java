// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The least that claims and completions in Redis can cost: a string for each key, without token,
 * lease or origin, many in one exchange.
 */
final class RedisLimit implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String PREFIX = "event:";
  private static final String CLAIM_ONE =
      "return redis.call('SET', KEYS[1], 'P', 'NX', 'EX', ARGV[1]) and 1 or 0";
  private static final String COMPLETE_ONE = "redis.call('SET', KEYS[1], 'C', 'EX', ARGV[1])";
  private static final String CLAIM_MANY =
      """
      local answers = {}
      for i, key in ipairs(KEYS) do
        answers[i] = redis.call('SET', key, 'P', 'NX', 'EX', ARGV[1]) and 1 or 0
      end
      return answers
      """;
  private static final String COMPLETE_MANY =
      "for _, key in ipairs(KEYS) do redis.call('SET', key, 'C', 'EX', ARGV[1]) end";

  private final Redis.Link redis;
  private final StatefulRedisConnection<String, String> connection;
  private final Calls calls;
  private final String claim;
  private final String complete;
  private final String ttl = Long.toString(Course.TTL.toSeconds());

  enum Calls {
    /** One script call for each key, all sent together. */
    PIPELINED,
    /** One script call with all keys. */
    ONE_SCRIPT
  }

  RedisLimit(String uri, Calls calls) {
    this.redis = Redis.connect(uri);
    this.connection = redis.connection();
    this.calls = calls;
    boolean one = calls == Calls.ONE_SCRIPT;
    this.claim = connection.sync().scriptLoad(one ? CLAIM_MANY : CLAIM_ONE);
    this.complete = connection.sync().scriptLoad(one ? COMPLETE_MANY : COMPLETE_ONE);
    connection.setAutoFlushCommands(false);
  }

  /** Claims ids. Returns for each whether it was free. */
  List<Boolean> claim(List<String> ids) {
    return run(claim, ids).stream().map(answer -> answer == 1).toList();
  }

  void complete(List<String> ids) {
    if (!ids.isEmpty()) {
      run(complete, ids);
    }
  }

  private List<Long> run(String script, List<String> ids) {
    String[] keys = ids.stream().map(id -> PREFIX + id).toArray(String[]::new);
    return calls == Calls.ONE_SCRIPT ? together(script, keys) : pipelined(script, keys);
  }

  private List<Long> together(String script, String[] keys) {
    RedisFuture<List<Long>> call =
        connection.async().evalsha(script, ScriptOutputType.MULTI, keys, ttl);
    connection.flushCommands();
    await(call);
    List<Long> answers = call.toCompletableFuture().join();
    return answers == null ? List.of() : answers;
  }

  private List<Long> pipelined(String script, String[] keys) {
    List<RedisFuture<Long>> sent = new ArrayList<>(keys.length);
    for (String key : keys) {
      sent.add(
          connection.async().evalsha(script, ScriptOutputType.INTEGER, new String[] {key}, ttl));
    }
    connection.flushCommands();
    await(sent.toArray(RedisFuture[]::new));
    List<Long> answers = new ArrayList<>(keys.length);
    for (RedisFuture<Long> one : sent) {
      answers.add(Objects.requireNonNullElse(one.toCompletableFuture().join(), 0L));
    }
    return answers;
  }

  private static void await(RedisFuture<?>... calls) {
    if (!LettuceFutures.awaitAll(TIMEOUT, calls)) {
      throw new IllegalStateException("Redis has not answered within " + TIMEOUT);
    }
  }

  @Override
  public void close() {
    redis.close();
  }
}
