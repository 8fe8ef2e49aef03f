// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Servers in containers, by Testcontainers. */
final class Containers {

  private static final int POSTGRES_PORT = 5432;
  private static final int MARIADB_PORT = 3306;
  private static final int KAFKA_PORT = 9092;

  private Containers() {}

  static RedisServer redis(String image) {
    return Ports.start(
        1,
        ports -> {
          RedisConfig config = RedisConfig.server(ports.get(0), List.of());
          return new RedisServer(RedisContainer.start(image, List.of(config)).get(0));
        });
  }

  static RedisCluster redisCluster(String image) {
    return Ports.start(
        RedisCluster.MASTERS,
        ports ->
            RedisCluster.on(
                RedisCluster.configs(ports, List.of()),
                configs -> RedisContainer.start(image, configs)));
  }

  static RedisSentinel redisSentinel(String image) {
    return Ports.start(
        RedisSentinel.PROCESSES,
        ports ->
            RedisSentinel.on(
                RedisSentinel.configs(ports, List.of()),
                configs -> RedisContainer.start(image, configs)));
  }

  static PostgresServer postgres(String image) {
    PostgreSQLContainer container = new PostgreSQLContainer(name(image, "postgres"));
    publish(container, POSTGRES_PORT);
    container.start();
    Node node = node(container, POSTGRES_PORT);
    return new PostgresServer(
        node,
        new Database(container.getJdbcUrl(), container.getUsername(), container.getPassword()));
  }

  static MariaDbServer mariadb(String image) {
    MariaDBContainer container = new MariaDBContainer(name(image, "mariadb"));
    publish(container, MARIADB_PORT);
    String grant = "GRANT ALL ON *.* TO '" + container.getUsername() + "'@'%' WITH GRANT OPTION;";
    container.withCopyToContainer(Transferable.of(grant), "/docker-entrypoint-initdb.d/grant.sql");
    container.start();
    Node node = node(container, MARIADB_PORT);
    return new MariaDbServer(
        node,
        new Database(container.getJdbcUrl(), container.getUsername(), container.getPassword()));
  }

  static KafkaServer kafka(String image) {
    KafkaContainer container = new KafkaContainer(name(image, "apache/kafka"));
    container.withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
    container.withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0");
    publish(container, KAFKA_PORT);
    container.start();
    Node node = node(container, KAFKA_PORT);
    return KafkaServer.running(node, container.getHost() + ":" + node.port());
  }

  static DockerImageName name(String image, String official) {
    return DockerImageName.parse(image).asCompatibleSubstituteFor(official);
  }

  /** Publishes a port where Testcontainers says that it is reached, and nowhere else if it can. */
  private static void publish(GenericContainer<?> container, int port) {
    publish(container, new PortBinding(Binding.bindIp(reachedAt()), ExposedPort.tcp(port)));
  }

  static void publish(GenericContainer<?> container, PortBinding... bindings) {
    container.withCreateContainerCmdModifier(
        command -> {
          HostConfig host = command.getHostConfig();
          if (host != null) {
            host.withPortBindings(bindings);
          }
        });
  }

  // The engine may be elsewhere: then it is known by a name, which is nothing to bind to.
  private static String reachedAt() {
    String host = DockerClientFactory.instance().dockerHostIpAddress();
    if (host.equals("localhost")) {
      return Ports.LOOPBACK;
    }
    return host.matches("[0-9.]+") ? host : "0.0.0.0";
  }

  private static Node node(GenericContainer<?> container, int port) {
    return new BorrowedNode(container.getHost(), container.getMappedPort(port), container::stop);
  }
}
