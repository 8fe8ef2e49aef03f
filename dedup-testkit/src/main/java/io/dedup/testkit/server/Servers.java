// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

/**
 * One server of each kind for all test classes of a JVM, started by the first that wants it and
 * ended with the JVM.
 *
 * <p>System properties say where they come from. A server that already runs is named by {@value
 * #REDIS_PROPERTY} ({@code redis://host:port}), {@value #REDIS_CLUSTER_PROPERTY} ({@code
 * redis://host:port,host:port}), {@value #REDIS_SENTINEL_PROPERTY} ({@code
 * redis-sentinel://host:port,host:port#name}), {@value #POSTGRES_PROPERTY} and {@value
 * #MARIADB_PROPERTY} (JDBC URLs with the parameters {@code user} and {@code password} of somebody
 * who may create databases) and {@value #KAFKA_PROPERTY} ({@code host:port}). With {@code
 * dedup.test.servers=containers} the others are containers, of the images {@code
 * dedup.test.image.redis}, {@code .postgres}, {@code .mariadb} and {@code .kafka}; an image named
 * {@code embedded} means the process that is started without that property.
 *
 * <p>Wherever they come from, they refuse to be stopped, killed and restarted: other classes use
 * them, too. For that a class starts its own, see {@link ServerExtension#own}.
 */
public final class Servers {

  static final String REDIS_PROPERTY = "dedup.test.redis";
  static final String REDIS_CLUSTER_PROPERTY = "dedup.test.redis.cluster";
  static final String REDIS_SENTINEL_PROPERTY = "dedup.test.redis.sentinel";
  static final String POSTGRES_PROPERTY = "dedup.test.postgres";
  static final String MARIADB_PROPERTY = "dedup.test.mariadb";
  static final String KAFKA_PROPERTY = "dedup.test.kafka";

  private static final SharedServer<RedisServer> REDIS =
      SharedServer.of(RedisServer::start)
          .orContainer(Image.REDIS, image -> Containers.redis(image))
          .orRunning(REDIS_PROPERTY, RunningServers::redis);
  private static final SharedServer<RedisCluster> REDIS_CLUSTER =
      SharedServer.of(RedisCluster::start)
          .orContainer(Image.REDIS, image -> Containers.redisCluster(image))
          .orRunning(REDIS_CLUSTER_PROPERTY, RunningServers::redisCluster);
  private static final SharedServer<RedisSentinel> REDIS_SENTINEL =
      SharedServer.of(RedisSentinel::start)
          .orContainer(Image.REDIS, image -> Containers.redisSentinel(image))
          .orRunning(REDIS_SENTINEL_PROPERTY, RunningServers::redisSentinel);
  private static final SharedServer<PostgresServer> POSTGRES =
      SharedServer.of(PostgresServer::start)
          .orContainer(Image.POSTGRES, image -> Containers.postgres(image))
          .orRunning(POSTGRES_PROPERTY, RunningServers::postgres);
  private static final SharedServer<MariaDbServer> MARIADB =
      SharedServer.of(MariaDbServer::start)
          .orContainer(Image.MARIADB, image -> Containers.mariadb(image))
          .orRunning(MARIADB_PROPERTY, RunningServers::mariadb);
  private static final SharedServer<KafkaServer> KAFKA =
      SharedServer.of(KafkaServer::start)
          .orContainer(Image.KAFKA, image -> Containers.kafka(image))
          .orRunning(KAFKA_PROPERTY, RunningServers::kafka);

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
}
