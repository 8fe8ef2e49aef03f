// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A Redis master with one replica, watched by three sentinels that promote the replica when the
 * master has been gone for a second. {@link #stop}, {@link #kill} and {@link #restart} concern all
 * five processes; {@link #master} is the one to kill for a failover.
 *
 * <p>Needs what {@link RedisServer} needs.
 */
public final class RedisSentinel extends TestServer {

  private static final String MASTER_NAME = "dedup";
  private static final int DATA_NODES = 2;
  private static final int SENTINELS = 3;
  static final int PROCESSES = DATA_NODES + SENTINELS;

  private final String masterName;
  private final List<RedisServer> dataNodes;
  private final List<Address> sentinels;

  private RedisSentinel(
      Node group, String masterName, List<Address> sentinels, List<RedisServer> dataNodes) {
    super(group);
    this.masterName = masterName;
    this.sentinels = sentinels;
    this.dataNodes = dataNodes;
  }

  /** Sentinels that somebody else runs. */
  static RedisSentinel running(GroupNode sentinels, String masterName) {
    return new RedisSentinel(sentinels, masterName, addresses(sentinels.members()), List.of());
  }

  /**
   * Starts the five processes.
   *
   * @param directives lines of redis.conf for master and replica
   */
  public static RedisSentinel start(String... directives) {
    return Ports.start(
        PROCESSES, ports -> on(configs(ports, List.of(directives)), RedisGroup::start));
  }

  static RedisSentinel on(
      List<RedisConfig> configs, Function<List<RedisConfig>, List<Node>> starter) {
    List<Node> nodes = starter.apply(configs);
    GroupNode group = new GroupNode(nodes, () -> awaitWatched(nodes));
    try {
      awaitWatched(nodes);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
    List<Address> sentinels = addresses(nodes.subList(DATA_NODES, nodes.size()));
    List<RedisServer> data = nodes.stream().limit(DATA_NODES).map(RedisServer::new).toList();
    return new RedisSentinel(group, MASTER_NAME, sentinels, data);
  }

  private static List<Address> addresses(List<? extends Node> nodes) {
    return nodes.stream().map(node -> new Address(node.host(), node.port())).toList();
  }

  /**
   * Master, replica and sentinels. The sentinels are told of each other and of the replica in the
   * words they would write to that file themselves once they had found out.
   */
  static List<RedisConfig> configs(List<Integer> ports, List<String> directives) {
    int master = ports.get(0);
    int replica = ports.get(1);
    List<RedisConfig> configs = new ArrayList<>();
    configs.add(RedisConfig.server(master, directives));
    List<String> following = new ArrayList<>(directives);
    following.add("replicaof " + Ports.LOOPBACK + " " + master);
    configs.add(RedisConfig.server(replica, following));

    List<Integer> watchers = ports.subList(DATA_NODES, ports.size());
    List<String> ids = watchers.stream().map(port -> RedisCluster.nodeId()).toList();
    for (int self = 0; self < watchers.size(); self++) {
      List<String> lines = new ArrayList<>();
      lines.add("sentinel myid " + ids.get(self));
      lines.add("sentinel monitor " + MASTER_NAME + " " + Ports.LOOPBACK + " " + master + " 2");
      lines.add("sentinel down-after-milliseconds " + MASTER_NAME + " 1000");
      lines.add("sentinel failover-timeout " + MASTER_NAME + " 5000");
      lines.add("sentinel known-replica " + MASTER_NAME + " " + Ports.LOOPBACK + " " + replica);
      for (int i = 0; i < watchers.size(); i++) {
        if (i != self) {
          lines.add(
              String.join(
                  " ",
                  "sentinel known-sentinel",
                  MASTER_NAME,
                  Ports.LOOPBACK,
                  watchers.get(i).toString(),
                  ids.get(i)));
        }
      }
      configs.add(new RedisConfig(RedisConfig.Kind.SENTINEL, watchers.get(self), lines, Map.of()));
    }
    return configs;
  }

  private static void awaitWatched(List<Node> nodes) {
    List<Node> sentinels = nodes.subList(DATA_NODES, nodes.size());
    for (Node sentinel : sentinels) {
      RedisGroup.await(
          "the sentinel on port " + sentinel.port() + " watches a master with a replica",
          () -> isWatched(sentinel));
    }
  }

  private static boolean isWatched(Node sentinel) throws IOException {
    try (Resp redis = new Resp(sentinel.host(), sentinel.port())) {
      redis.call("SENTINEL", "CKQUORUM", MASTER_NAME); // an error unless two of three can agree
      Address master = masterAddress(redis, MASTER_NAME);
      String replication = Resp.ask(master.host(), master.port(), "INFO", "replication");
      return replication.contains("role:master") && replication.contains("state=online");
    }
  }

  private static Address masterAddress(Resp sentinel, String name) throws IOException {
    String lines = sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name);
    return Address.parse("master " + name, lines.replace('\n', ':'));
  }

  /** The name of the master that clients ask the sentinels for. */
  public String masterName() {
    return masterName;
  }

  /** The addresses of the sentinels as {@code host:port}. */
  public List<String> sentinels() {
    return sentinels.stream().map(Address::toString).toList();
  }

  /** The addresses as {@code redis-sentinel://host:port,host:port#name}. */
  public String redisUri() {
    return sentinels().stream()
        .collect(Collectors.joining(",", "redis-sentinel://", "#" + masterName));
  }

  /**
   * The address of the present master as {@code host:port}, as the first sentinel alive knows it.
   */
  public String masterAddress() {
    IOException failed = new IOException("no sentinel answers");
    for (Address sentinel : sentinels) {
      try (Resp redis = new Resp(sentinel.host(), sentinel.port())) {
        return masterAddress(redis, masterName).toString();
      } catch (IOException e) {
        failed.addSuppressed(e);
      }
    }
    throw new UncheckedIOException(failed);
  }

  /**
   * The present master: what to kill for a failover.
   *
   * @throws NoSuchElementException if the master is not one of the servers that were started here
   */
  public RedisServer master() {
    String address = masterAddress();
    return dataNodes.stream()
        .filter(node -> node.address().equals(address))
        .findFirst()
        .orElseThrow();
  }

  @Override
  void lend(String because) {
    super.lend(because);
    dataNodes.forEach(node -> node.lend(because));
  }
}
