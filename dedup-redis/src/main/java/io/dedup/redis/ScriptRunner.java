// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Has requests executed by scripts, on a connection of its own: never one that is bound to the
 * caller's transaction or pipeline. Thread-safe.
 */
final class ScriptRunner {

  /** How many requests Redis executes without a pause for other clients, at the most. */
  static final int REQUESTS_PER_ROUND = 500;

  private final RedisConnectionFactory factory;
  private final ScriptPort port;
  private final StoreTime time;

  ScriptRunner(RedisConnectionFactory factory, StoreTime time) {
    this.factory = factory;
    ScriptPort clusterPort = AllAtOnce.of(factory);
    this.port = clusterPort != null ? clusterPort : new OneByOne();
    this.time = time;
  }

  /**
   * Executes the requests on a connection of its own, those to one key in their order, and gives
   * each its reply.
   *
   * @return the store's time; of several nodes, the earliest
   */
  Instant run(Script script, Verb verb, List<Request> requests) {
    String what = verb.file() + " of " + requests.size() + " keys";
    return connected(what, connection -> run(connection, script, requests));
  }

  /** Does something on a connection of its own; the driver's exceptions become the store's. */
  <T> T connected(String what, Function<RedisConnection, T> work) {
    try (RedisConnection connection = factory.getConnection()) {
      return work.apply(connection);
    } catch (RuntimeException e) {
      throw Trouble.of(what, e);
    }
  }

  /**
   * Does what {@link #run(Script, Verb, List)} does, on a connection that {@link #connected} gave.
   */
  Instant run(RedisConnection connection, Script script, List<Request> requests) {
    byte[] now = now();
    long earliestMicros = Long.MAX_VALUE;
    for (int from = 0; from < requests.size(); from += REQUESTS_PER_ROUND) {
      int to = Math.min(from + REQUESTS_PER_ROUND, requests.size());
      long micros = round(connection, script, now, requests.subList(from, to));
      earliestMicros = Math.min(earliestMicros, micros);
    }
    checkOurs(requests);
    return Instant.EPOCH.plus(earliestMicros, ChronoUnit.MICROS);
  }

  private long round(
      RedisConnection connection, Script script, byte[] now, List<Request> requests) {
    boolean cluster = connection instanceof RedisClusterConnection;
    Function<Request, Object> group = cluster ? request -> request.key().bucket() : request -> "";
    List<ScriptCall> calls = ScriptCall.of(script, now, requests, group);
    long earliestMicros = Long.MAX_VALUE;
    // Ends: a call is repeated once with the text, and once split.
    while (!calls.isEmpty()) {
      List<ScriptCall> again = new ArrayList<>();
      List<@Nullable Object> outcomes = port.send(connection, calls);
      for (int i = 0; i < calls.size(); i++) {
        ScriptCall call = calls.get(i);
        if (outcomes.get(i) instanceof RuntimeException refusal) {
          again.addAll(otherWay(call, refusal));
        } else {
          earliestMicros = Math.min(earliestMicros, Replies.give(call, outcomes.get(i)));
        }
      }
      calls = again;
    }
    return earliestMicros;
  }

  private static List<ScriptCall> otherWay(ScriptCall call, RuntimeException refusal) {
    if (Trouble.isUnknownScript(refusal) && call.form() == ScriptCall.Form.DIGEST) {
      // A node forgets its scripts when it restarts or is told to; with the text it also remembers.
      return List.of(call.withText());
    }
    if (Trouble.isSplitSlot(refusal) && call.hasSeveralKeys()) {
      return call.byKey();
    }
    throw refusal;
  }

  private static void checkOurs(List<Request> requests) {
    for (Request request : requests) {
      byte[] reply = request.reply();
      if (reply[0] == '!') {
        String why = new String(reply, 1, reply.length - 1, StandardCharsets.UTF_8);
        throw new StoreCorrupt(
            "Redis: the key with the hexadecimal name "
                + request.key().hex()
                + " is no record of ours and was left as it is: "
                + why);
      }
    }
  }

  private byte[] now() {
    Instant byHand = time.now();
    if (byHand == null) {
      return new byte[0];
    }
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, byHand);
    return Long.toString(micros).getBytes(StandardCharsets.US_ASCII);
  }
}
