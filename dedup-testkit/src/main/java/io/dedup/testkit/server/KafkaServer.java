// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker (KRaft, a single node, in a JVM of its own). What it has acknowledged survives
 * {@link #kill}. Topics are not created by use, and a new group is assigned at once.
 *
 * <p>Needs {@code org.apache.kafka:kafka_2.13} on the class path of the test JVM.
 */
public final class KafkaServer extends TestServer {

  private static final String ARTEFACT = "org.apache.kafka:kafka_2.13";

  private final String bootstrapServers;
  private final @Nullable KafkaPorts ports;
  private @Nullable FaultProxy proxy;

  private KafkaServer(Node node, String bootstrapServers, @Nullable KafkaPorts ports) {
    super(node);
    this.bootstrapServers = bootstrapServers;
    this.ports = ports;
  }

  /** A broker, or several, that somebody else runs. */
  static KafkaServer running(Node node, String bootstrapServers) {
    return new KafkaServer(node, bootstrapServers, null);
  }

  /**
   * Starts a broker on a free port.
   *
   * @param properties lines of server.properties that override the defaults, for example {@code
   *     "log.retention.ms=60000"}
   */
  public static KafkaServer start(String... properties) {
    Binaries.resource("kafka/Kafka.class", "KafkaServer", ARTEFACT);
    return Ports.start(
        KafkaPorts.COUNT,
        chosen -> {
          KafkaPorts ports = KafkaPorts.of(chosen);
          Recipe recipe = new KafkaRecipe(ports, List.of(properties));
          Node node = ProcessNode.start(recipe, ports.client());
          return new KafkaServer(node, node.host() + ":" + node.port(), ports);
        });
  }

  /** The value for {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /**
   * Creates a topic.
   *
   * @param config its settings, for example {@code retention.ms}; may be empty
   * @throws IllegalStateException if the broker refuses, for example because the topic exists
   */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    KafkaAdmin.createTopic(bootstrapServers, name, partitions, config);
  }

  /**
   * A proxy before this broker; the first call starts it, the end of the broker ends it. Clients
   * that bootstrap from its {@link FaultProxy#address} stay behind it, for the broker tells them no
   * other.
   *
   * @throws UnsupportedOperationException if the broker is not this test's own
   */
  public synchronized FaultProxy proxy() {
    mustBeOwn();
    if (ports == null) {
      throw new UnsupportedOperationException(bootstrapServers + " knows no address of a proxy");
    }
    if (proxy == null) {
      proxy = FaultProxy.on(ports.proxy(), host(), ports.behindProxy());
    }
    return proxy;
  }

  @Override
  synchronized void end() {
    if (proxy != null) {
      proxy.close();
    }
    super.end();
  }
}
