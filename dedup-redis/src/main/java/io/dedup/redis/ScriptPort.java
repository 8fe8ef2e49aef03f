// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Sends script calls. There is one for each kind of topology; docs/adr/0010-redis-batches.md says
 * why. Thread-safe.
 */
interface ScriptPort {

  /**
   * Sends the calls and waits for as long as the connection's command time-out says.
   *
   * @return for each call what Redis replied, unchecked, or the driver's exception
   * @throws RuntimeException the driver's, if there is no point in going on; some calls may have
   *     been executed
   */
  List<@Nullable Object> send(RedisConnection connection, List<ScriptCall> calls);
}
