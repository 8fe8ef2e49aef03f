// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisCluster;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;

/** Lettuce is one driver of several. */
class OtherDriversTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();
  @RegisterExtension static final ServerExtension<RedisCluster> cluster = Servers.redisCluster();

  @Test
  void aStoreByJedisNeedsNoLettuceOnTheClassPath() throws Exception {
    URL[] classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("lettuce"))
            .map(OtherDriversTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader application =
        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> application.loadClass("io.lettuce.core.RedisClient"))
          .isInstanceOf(ClassNotFoundException.class);
      @SuppressWarnings("unchecked")
      BiFunction<String, Integer, String> claim =
          (BiFunction<String, Integer, String>)
              application
                  .loadClass(WithoutLettuce.class.getName())
                  .getDeclaredConstructor()
                  .newInstance();

      assertThat(claim.apply(redis.get().host(), redis.get().port())).isEqualTo("Acquired");
    }
  }

  @Test
  void aBatchOnAClusterIsAnsweredByJedisTooAndAfterScriptFlush() {
    JedisConnectionFactory factory = Factories.jedis(Factories.cluster(cluster.get()));
    try {
      RedisClaimStore store = RedisClaimStore.builder(factory).build();
      List<IdempotencyKey> keys = Use.newKeys(50);
      List<SettleRequest> settlements =
          keys.stream().map(key -> new SettleRequest(Use.acquire(store, key), Use.DONE)).toList();
      cluster.get().nodes().forEach(OtherDriversTest::flushScripts);

      Exchange exchange = store.exchange(settlements, keys.stream().map(Use::request).toList());

      assertThat(exchange.settled()).containsOnly(Use.APPLIED);
      assertThat(exchange.claimed()).allMatch(ClaimAnswer.Completed.class::isInstance);
    } finally {
      factory.destroy();
    }
  }

  private static void flushScripts(RedisServer node) {
    try (Jedis jedis = new Jedis(node.host(), node.port())) {
      jedis.scriptFlush();
    }
  }

  private static URL url(String entry) {
    try {
      return new File(entry).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
