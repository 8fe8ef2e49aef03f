// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Sends calls one after the other, by any driver. On a single node, where a batch is one call,
 * nothing is faster.
 */
final class OneByOne implements ScriptPort {

  @Override
  public List<@Nullable Object> send(RedisConnection connection, List<ScriptCall> calls) {
    RedisScriptingCommands redis = connection.scriptingCommands();
    List<@Nullable Object> outcomes = new ArrayList<>(calls.size());
    for (ScriptCall call : calls) {
      outcomes.add(outcome(redis, call));
    }
    return outcomes;
  }

  private static @Nullable Object outcome(RedisScriptingCommands redis, ScriptCall call) {
    byte[][] keys = call.keys();
    byte[][] arguments = call.arguments();
    byte[][] all = Arrays.copyOf(keys, keys.length + arguments.length);
    System.arraycopy(arguments, 0, all, keys.length, arguments.length);
    try {
      return switch (call.form()) {
        case DIGEST -> redis.evalSha(call.script().sha1(), ReturnType.MULTI, keys.length, all);
        case TEXT -> redis.eval(call.script().bytes(), ReturnType.MULTI, keys.length, all);
      };
    } catch (RuntimeException e) {
      if (Trouble.isRefusal(e)) {
        return e;
      }
      throw e;
    }
  }
}
