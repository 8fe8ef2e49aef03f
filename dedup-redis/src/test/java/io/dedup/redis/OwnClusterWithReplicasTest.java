// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.testkit.server.RedisCluster;
import io.dedup.testkit.server.ServerExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class OwnClusterWithReplicasTest {

  @RegisterExtension
  static final ServerExtension<RedisCluster> cluster =
      ServerExtension.own(RedisCluster::startWithReplicas);

  @Test
  void aReplicaThatIsGoneAtTheStartIsNotMissed() {
    cluster.get().nodes().get(3).kill();
    LettuceConnectionFactory factory = Factories.lettuce(Factories.cluster(cluster.get()));
    try {
      RedisClaimStore store = RedisClaimStore.builder(factory).build();
      List<ClaimRequest> requests = Use.newKeys(100).stream().map(Use::request).toList();

      store.verify();
      Exchange exchange = store.claim(requests);

      assertThat(exchange.claimed()).allMatch(ClaimAnswer.Acquired.class::isInstance);
      assertThat(store.stats().processing()).isEqualTo(requests.size());
    } finally {
      factory.destroy();
    }
  }
}
