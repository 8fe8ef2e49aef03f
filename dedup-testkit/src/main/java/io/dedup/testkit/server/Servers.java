// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server of each kind for all test classes of a JVM, started by the first that wants it and
 * ended with the JVM.
 *
 * <p>System properties say where they come from. A server that already runs is named by {@code
 * dedup.test.redis} ({@code redis://host:port}), {@code dedup.test.redis.cluster} ({@code
 * redis://host:port,host:port}), {@code dedup.test.redis.sentinel} ({@code
 * redis-sentinel://host:port,host:port#name}), {@code dedup.test.postgres} and {@code
 * dedup.test.mariadb} (JDBC URLs with the parameters {@code user} and {@code password}) and {@code
 * dedup.test.kafka} ({@code host:port}). With {@code dedup.test.servers=containers} the others are
 * containers, of the images {@code dedup.test.image.redis}, {@code .postgres}, {@code .mariadb} and
 * {@code .kafka}; an image named {@code embedded} means the process that is started otherwise.
 *
 * <p>Wherever they come from, they refuse to be stopped, killed and restarted: other classes use
 * them, too. For that a class starts its own, see {@link ServerExtension#own}.
 */
public final class Servers {

  private static final Shared<RedisServer> REDIS = new Shared<>(Borrowed::redis);
  private static final Shared<RedisCluster> REDIS_CLUSTER = new Shared<>(Borrowed::redisCluster);
  private static final Shared<RedisSentinel> REDIS_SENTINEL = new Shared<>(Borrowed::redisSentinel);
  private static final Shared<PostgresServer> POSTGRES = new Shared<>(Borrowed::postgres);
  private static final Shared<MariaDbServer> MARIADB = new Shared<>(Borrowed::mariadb);
  private static final Shared<KafkaServer> KAFKA = new Shared<>(Borrowed::kafka);

  private Servers() {}

  /** The shared Redis. */
  public static ServerExtension<RedisServer> redis() {
    return ServerExtension.shared(REDIS::get);
  }

  /** The shared Redis Cluster of three masters. */
  public static ServerExtension<RedisCluster> redisCluster() {
    return ServerExtension.shared(REDIS_CLUSTER::get);
  }

  /** The shared Redis with replica and sentinels. */
  public static ServerExtension<RedisSentinel> redisSentinel() {
    return ServerExtension.shared(REDIS_SENTINEL::get);
  }

  /** The shared PostgreSQL. Each class works in a database of its own. */
  public static ServerExtension<PostgresServer> postgres() {
    return ServerExtension.shared(POSTGRES::get);
  }

  /** The shared MariaDB. Each class works in a database of its own. */
  public static ServerExtension<MariaDbServer> mariadb() {
    return ServerExtension.shared(MARIADB::get);
  }

  /** The shared Kafka broker. */
  public static ServerExtension<KafkaServer> kafka() {
    return ServerExtension.shared(KAFKA::get);
  }

  /** A server that is started once. One that failed to start is not tried again. */
  private static final class Shared<T extends TestServer> {

    private final Supplier<T> starter;
    private @Nullable T server;
    private @Nullable RuntimeException failure;

    Shared(Supplier<T> starter) {
      this.starter = starter;
    }

    synchronized T get() {
      if (failure != null) {
        throw new IllegalStateException("the shared server did not start before", failure);
      }
      if (server == null) {
        try {
          T started = starter.get();
          started.lend("is shared by all test classes of this JVM");
          Workspace.current().atExit(started::end);
          server = started;
        } catch (RuntimeException e) {
          failure = e;
          throw e;
        }
      }
      return server;
    }
  }
}
