// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Sends calls to all nodes of a Redis Cluster at once, by Lettuce's own commands: it knows the node
 * of each slot, follows slots that move, and keeps the order per node.
 */
final class AllAtOnce implements ScriptPort {

  private static final boolean LETTUCE_IS_THERE =
      ClassUtils.isPresent(
          "io.lettuce.core.cluster.RedisClusterClient", AllAtOnce.class.getClassLoader());

  private final Duration timeout;

  private AllAtOnce(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * Returns the port of {@code factory}, null unless it is of Lettuce and connects to a Cluster.
   */
  static @Nullable ScriptPort of(RedisConnectionFactory factory) {
    return LETTUCE_IS_THERE ? Lettuce.portOf(factory) : null;
  }

  @Override
  public List<@Nullable Object> send(RedisConnection connection, List<ScriptCall> calls) {
    return Lettuce.send(connection.getNativeConnection(), calls, timeout);
  }

  /** Apart, so that the classes of Lettuce are wanted only where they are. */
  private static final class Lettuce {

    static @Nullable ScriptPort portOf(RedisConnectionFactory factory) {
      return factory instanceof LettuceConnectionFactory lettuce && lettuce.isClusterAware()
          ? new AllAtOnce(Duration.ofMillis(lettuce.getTimeout()))
          : null;
    }

    @SuppressWarnings("unchecked") // Spring's connections are all of byte[]
    static List<@Nullable Object> send(
        Object connection, List<ScriptCall> calls, Duration timeout) {
      var redis = (RedisAdvancedClusterAsyncCommands<byte[], byte[]>) connection;
      List<RedisFuture<Object>> replies = calls.stream().map(call -> send(redis, call)).toList();
      // A failure becomes an outcome, so that one call's does not hide the others'.
      List<CompletableFuture<@Nullable Object>> outcomes =
          replies.stream().map(Lettuce::outcome).toList();
      if (!LettuceFutures.awaitAll(timeout, outcomes.toArray(CompletableFuture[]::new))) {
        replies.forEach(reply -> reply.cancel(true));
        throw new RedisCommandTimeoutException("no reply within " + timeout);
      }
      List<@Nullable Object> all = new ArrayList<>(outcomes.size());
      outcomes.forEach(outcome -> all.add(outcome.join()));
      return all;
    }

    private static RedisFuture<Object> send(
        RedisAdvancedClusterAsyncCommands<byte[], byte[]> redis, ScriptCall call) {
      byte[][] keys = call.keys();
      byte[][] arguments = call.arguments();
      return switch (call.form()) {
        case DIGEST -> redis.evalsha(call.script().sha1(), ScriptOutputType.MULTI, keys, arguments);
        case TEXT -> redis.eval(call.script().bytes(), ScriptOutputType.MULTI, keys, arguments);
      };
    }

    private static CompletableFuture<@Nullable Object> outcome(RedisFuture<Object> reply) {
      return reply
          .toCompletableFuture()
          .handle((value, failure) -> failure == null ? value : exception(failure));
    }

    private static RuntimeException exception(Throwable failure) {
      return failure instanceof RuntimeException e ? e : new CompletionException(failure);
    }
  }
}
