// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;
import java.util.Map;

/**
 * A Kafka broker (KRaft, a single node, in a JVM of its own). What it has acknowledged survives
 * {@link #kill}. Topics are not created by use, and a new group is assigned at once.
 *
 * <p>Needs {@code org.apache.kafka:kafka_2.13} on the class path of the test JVM.
 */
public final class KafkaServer extends TestServer {

  private static final String ARTEFACT = "org.apache.kafka:kafka_2.13";

  private final String bootstrapServers;

  KafkaServer(Node node, String bootstrapServers) {
    super(node);
    this.bootstrapServers = bootstrapServers;
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
        2,
        ports -> {
          Recipe recipe = new KafkaRecipe(ports.get(1), List.of(properties));
          Node node = ProcessNode.start(recipe, ports.get(0));
          return new KafkaServer(node, node.host() + ":" + node.port());
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
}
