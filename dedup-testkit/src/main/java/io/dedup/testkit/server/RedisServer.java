// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;

/**
 * A single Redis. What it has answered survives {@link #kill}: it writes an append-only file.
 *
 * <p>Needs {@code com.github.codemonstur:embedded-redis}, or the system property {@code
 * dedup.test.redis.executable} with the path of any {@code redis-server} or {@code valkey-server}.
 */
public final class RedisServer extends TestServer {

  RedisServer(Node node) {
    super(node);
  }

  /**
   * Starts an empty Redis on a free port.
   *
   * @param directives lines of redis.conf that override the defaults, for example {@code "maxmemory
   *     10mb"}
   */
  public static RedisServer start(String... directives) {
    return Ports.start(
        1,
        ports -> {
          RedisConfig config = RedisConfig.server(ports.get(0), List.of(directives));
          return new RedisServer(ProcessNode.start(RedisRecipe.of(config), config.port()));
        });
  }

  /** The address as {@code redis://host:port}. */
  public String redisUri() {
    return "redis://" + address();
  }

  /** The address as {@code host:port}. */
  public String address() {
    return host() + ":" + port();
  }
}
