// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClusterTest {

  @RegisterExtension
  static final ServerExtension<RedisCluster> cluster =
      ServerExtension.own(() -> RedisCluster.startWithReplicas());

  @Test
  void threeMastersCoverAllSlots() {
    RedisClusterClient client = RedisClusterClient.create(cluster.get().redisUri());
    try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
      Set<Integer> slots = new TreeSet<>();
      for (RedisClusterNode node : connection.getPartitions()) {
        slots.addAll(node.getSlots());
      }
      assertThat(slots).hasSize(SlotHash.SLOT_COUNT);
      assertThat(connection.getPartitions()).hasSize(6);
      for (int key = 0; key < 100; key++) {
        assertThat(connection.sync().set("key-" + key, "value")).isEqualTo("OK");
      }
    } finally {
      client.shutdown();
    }
  }

  @Test
  void aReplicaTakesOverAndTheKilledMasterComesBack() {
    RedisServer master = cluster.get().nodes().get(0);
    RedisServer replica = cluster.get().nodes().get(3);
    master.kill();
    await().atMost(Duration.ofSeconds(30)).until(() -> role(replica).contains("role:master"));
    master.restart();
    await().atMost(Duration.ofSeconds(30)).until(() -> role(master).contains("link_status:up"));
  }

  private static String role(RedisServer node) throws IOException {
    return Resp.ask(node.host(), node.port(), "INFO", "replication");
  }
}
