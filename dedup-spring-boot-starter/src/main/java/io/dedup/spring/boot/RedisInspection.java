// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Looks at what makes a Redis forget: eviction, and persistence. */
final class RedisInspection implements StoreInspection {

  private final Supplier<RedisConnectionFactory> factory;

  RedisInspection(Supplier<RedisConnectionFactory> factory) {
    this.factory = factory;
  }

  @Override
  public StoreKind kind() {
    return StoreKind.REDIS;
  }

  @Override
  public Findings inspect() {
    Map<String, Object> details = new LinkedHashMap<>();
    List<String> risks = new ArrayList<>();
    try (RedisConnection connection = factory.get().getConnection()) {
      if (connection instanceof RedisClusterConnection cluster) {
        for (RedisClusterNode node : cluster.clusterGetNodes()) {
          if (node.isMaster()) {
            Map<String, Object> ofNode = new LinkedHashMap<>();
            look(cluster.serverCommands().info(node), node.asString() + ": ", ofNode, risks);
            details.put(node.asString(), ofNode);
          }
        }
      } else {
        look(connection.serverCommands().info(), "", details, risks);
      }
    }
    return new Findings(details, risks);
  }

  private static void look(
      @Nullable Properties info, String where, Map<String, Object> details, List<String> risks) {
    Properties known = info == null ? new Properties() : info;
    details.put("version", known.getProperty("redis_version", "unknown"));
    String policy = known.getProperty("maxmemory_policy", "unknown");
    details.put("maxmemory-policy", policy);
    if (!policy.equals("noeviction")) {
      risks.add(
          where
              + "maxmemory-policy was "
              + policy
              + ", should be noeviction: a key that is thrown away runs again");
    }
    String evicted = known.getProperty("evicted_keys", "0");
    details.put("evicted-keys", evicted);
    if (!evicted.equals("0")) {
      risks.add(where + "evicted_keys was " + evicted + ", should be 0: some of them may be ours");
    }
    persistence(known, where, details, risks);
  }

  private static void persistence(
      Properties info, String where, Map<String, Object> details, List<String> risks) {
    boolean appends = info.getProperty("aof_enabled", "0").equals("1");
    details.put("appendonly", appends);
    if (!appends) {
      risks.add(
          where
              + "appendonly was no, should be yes: a restart forgets what was done since the last"
              + " snapshot, and it runs again");
    } else if (!info.getProperty("aof_last_write_status", "ok").equals("ok")) {
      risks.add(where + "aof_last_write_status was not ok: Redis cannot write its file");
    }
  }
}
