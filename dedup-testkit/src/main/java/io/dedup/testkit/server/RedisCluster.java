// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A real Redis Cluster of three masters, which share the 16384 slots evenly. {@link #stop}, {@link
 * #kill} and {@link #restart} concern all nodes; a single one is reached by {@link #nodes}.
 *
 * <p>Needs what {@link RedisServer} needs.
 */
public final class RedisCluster extends TestServer {

  static final int MASTERS = 3;
  private static final int SLOTS = 16_384;

  private final List<RedisServer> nodes;

  RedisCluster(GroupNode group) {
    super(group);
    nodes = group.members().stream().map(RedisServer::new).toList();
  }

  /**
   * Starts three masters without replicas.
   *
   * @param directives lines of redis.conf for each node
   */
  public static RedisCluster start(String... directives) {
    return start(0, List.of(directives));
  }

  /** Starts three masters with a replica each, which takes over when its master is gone. */
  public static RedisCluster startWithReplicas(String... directives) {
    return start(1, List.of(directives));
  }

  private static RedisCluster start(int replicas, List<String> directives) {
    return Ports.start(
        MASTERS * (1 + replicas), ports -> on(configs(ports, directives), RedisGroup::start));
  }

  static RedisCluster on(
      List<RedisConfig> configs, Function<List<RedisConfig>, List<Node>> starter) {
    List<Node> nodes = starter.apply(configs);
    GroupNode group = new GroupNode(nodes, () -> awaitWhole(nodes));
    try {
      awaitWhole(nodes);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
    return new RedisCluster(group);
  }

  /**
   * The configuration of each node, masters first. Who has which slots is written to the file where
   * each node would keep it after CLUSTER MEET and ADDSLOTS; so there is nothing to be negotiated.
   */
  static List<RedisConfig> configs(List<Integer> ports, List<String> directives) {
    List<String> ids = ports.stream().map(port -> nodeId()).toList();
    List<RedisConfig> configs = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      List<String> lines = new ArrayList<>();
      lines.add("cluster-enabled yes");
      lines.add("cluster-config-file nodes.conf");
      lines.add("cluster-node-timeout 2000");
      lines.add("cluster-announce-ip " + Ports.LOOPBACK);
      lines.addAll(directives);
      String table = table(ports, ids, i);
      configs.add(
          new RedisConfig(
              RedisConfig.Kind.REDIS, ports.get(i), lines, Map.of("nodes.conf", table)));
    }
    return configs;
  }

  private static String table(List<Integer> ports, List<String> ids, int self) {
    StringBuilder table = new StringBuilder();
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(i);
      int master = i % MASTERS;
      String role = i == master ? "master -" : "slave " + ids.get(master);
      table.append(ids.get(i)).append(' ').append(Ports.LOOPBACK).append(':').append(port);
      table.append('@').append(port + Ports.CLUSTER_BUS).append(' ');
      table.append(i == self ? "myself," : "").append(role);
      table.append(" 0 0 ").append(master + 1).append(" connected");
      if (i == master) {
        table.append(' ').append(i * SLOTS / MASTERS);
        table.append('-').append((i + 1) * SLOTS / MASTERS - 1);
      }
      table.append('\n');
    }
    return table
        .append("vars currentEpoch ")
        .append(MASTERS)
        .append(" lastVoteEpoch 0\n")
        .toString();
  }

  /** Forty hexadecimal digits. */
  static String nodeId() {
    String digits = UUID.randomUUID().toString() + UUID.randomUUID();
    return digits.replace("-", "").substring(0, 40);
  }

  private static void awaitWhole(List<Node> nodes) {
    for (Node node : nodes) {
      RedisGroup.await(
          "the node on port " + node.port() + " sees a whole cluster",
          () -> isWhole(node, nodes.size()));
    }
  }

  private static boolean isWhole(Node node, int size) throws IOException {
    try (Resp redis = new Resp(node.host(), node.port())) {
      String info = redis.call("CLUSTER", "INFO");
      return info.contains("cluster_state:ok")
          && info.contains("cluster_slots_ok:" + SLOTS)
          && info.contains("cluster_known_nodes:" + size)
          && !redis.call("INFO", "replication").contains("master_link_status:down");
    }
  }

  /** Each node, masters first as they were at the start. Closing one of them is the group's. */
  public List<RedisServer> nodes() {
    return nodes;
  }

  /** The addresses of all nodes as {@code host:port}. */
  public List<String> addresses() {
    return nodes.stream().map(RedisServer::address).toList();
  }

  /** The addresses of all nodes as {@code redis://host:port,host:port}. */
  public String redisUri() {
    return addresses().stream().collect(Collectors.joining(",", "redis://", ""));
  }

  @Override
  void lend(String because) {
    super.lend(because);
    nodes.forEach(node -> node.lend(because));
  }
}
