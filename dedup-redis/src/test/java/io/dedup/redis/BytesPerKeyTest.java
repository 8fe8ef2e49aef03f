// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleRequest;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

/** What a key that is done costs: all that Redis takes for it, by {@code used_memory}. */
class BytesPerKeyTest {

  @RegisterExtension
  static final ServerExtension<RedisServer> redis =
      ServerExtension.own(() -> RedisServer.start("appendonly no"));

  private static final int BATCH = 500;

  /** Just below what makes Redis double its tables, as keys mostly are neither here nor there. */
  private static final int KEYS = 100_000;

  /** The default name of a process is as long. */
  private static final String OWNER = "pid-4242-9f1c22ab";

  @Test
  void aCompletedKeyWithItsOriginFingerprintAndTimesCostsAtMost200Bytes() {
    assertThat(bytesPerKey(RedisLayout.STANDARD)).isBetween(100L, 200L);
  }

  @Test
  void aCompletedKeyInTheCompactLayoutCostsAtMost64Bytes() {
    assertThat(bytesPerKey(RedisLayout.COMPACT)).isBetween(30L, 64L);
  }

  private static long bytesPerKey(RedisLayout layout) {
    LettuceConnectionFactory factory =
        Factories.lettuce(Factories.standalone(redis.get().host(), redis.get().port()));
    try (Jedis raw = new Jedis(redis.get().host(), redis.get().port())) {
      raw.flushAll();
      ClaimStore store = RedisClaimStore.builder(factory).layout(layout).build();
      complete(store, 0);
      long before = usedMemory(raw);
      for (int from = BATCH; from < KEYS + BATCH; from += BATCH) {
        complete(store, from);
      }
      return (usedMemory(raw) - before) / KEYS;
    } finally {
      factory.destroy();
    }
  }

  private static void complete(ClaimStore store, int from) {
    List<ClaimRequest> requests = new ArrayList<>();
    for (int offset = from; offset < from + BATCH; offset++) {
      IdempotencyKey key = Use.newKey();
      requests.add(
          ClaimRequest.builder(key, OWNER, Use.LEASE, Use.TTL)
              .fingerprint(Fingerprint.raw(key.id().getBytes(StandardCharsets.UTF_8)))
              .origin(Origin.kafka("cluster", "orders", 3, 40_000_000 + offset, 5))
              .build());
    }
    List<ClaimAnswer> answers = store.claim(requests).claimed();
    List<SettleRequest> settlements = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      long token = ((ClaimAnswer.Acquired) answers.get(i)).token();
      settlements.add(new SettleRequest(requests.get(i).claim(token), Use.DONE));
    }
    store.settle(settlements);
  }

  private static long usedMemory(Jedis raw) {
    return raw.info("memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }
}
