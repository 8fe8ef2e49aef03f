// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import io.dedup.testkit.ManualTime;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Jedis;

class RedisExpiryTest {

  private static final int STEPS = 1_500;
  private static final long SEED = 20_240_229;

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private final Random random = new Random(SEED);
  private final ManualTime time = ManualTime.startingAt(Instant.parse("2021-05-17T09:41:23Z"));
  private final List<IdempotencyKey> keys = Use.newKeys(60);
  private final List<Claim> claims = new ArrayList<>();

  @Test
  void afterARandomHistoryNoKeyStaysForEverAndNoneLeavesBeforeItsTime() throws Exception {
    String prefix = "expiry-" + keys.get(0).id();
    try (Driver.Connections connections =
            Driver.LETTUCE.connect(redis.get().host(), redis.get().port());
        Jedis raw = new Jedis(redis.get().host(), redis.get().port())) {
      RedisClaimStore store =
          RedisClaimStore.builder(connections.factory()).prefix(prefix).time(time).build();
      for (int i = 0; i < STEPS; i++) {
        IdempotencyKey touched = step(store);
        store.find(touched).ifPresent(record -> assertKeptLongEnough(raw, prefix, touched, record));
      }

      Set<byte[]> names = raw.keys((prefix + "*").getBytes(StandardCharsets.US_ASCII));
      assertThat(names).isNotEmpty();
      assertThat(names).allSatisfy(name -> assertThat(raw.pttl(name)).isPositive());
    }
  }

  private void assertKeptLongEnough(
      Jedis raw, String prefix, IdempotencyKey key, ClaimRecord record) {
    long leftMillis = Duration.between(time.now(), record.expires()).toMillis();
    assertThat(raw.pttl(name(prefix, key))).isGreaterThan(leftMillis);
  }

  private static byte[] name(String prefix, IdempotencyKey key) {
    return new KeyNames(prefix, KeyFormat.digest()).of(key).bytes();
  }

  private IdempotencyKey step(RedisClaimStore store) {
    IdempotencyKey key = keys.get(random.nextInt(keys.size()));
    Duration ttl = Duration.ofMillis(1 + random.nextInt(600_000));
    switch (random.nextInt(10)) {
      case 0 -> store.issue(key, ttl);
      case 1 -> store.reopen(key, "ann", "again");
      case 2 -> store.extend(List.of(key), ttl);
      case 3 -> {
        store.find(key).ifPresent(record -> store.merge(Map.of(other(key), record)));
        return other(key);
      }
      case 4 ->
          store
              .find(key)
              .ifPresent(r -> store.resolve(key, r.token(), new Resolution.NotDone(), "ann", "no"));
      case 5 -> time.advance(Duration.ofMillis(random.nextInt(60_000)));
      case 6, 7 -> claim(store, key, ttl);
      default -> {
        return settle(store, ttl, key);
      }
    }
    return key;
  }

  private IdempotencyKey other(IdempotencyKey key) {
    return keys.get((keys.indexOf(key) + 1) % keys.size());
  }

  private void claim(RedisClaimStore store, IdempotencyKey key, Duration ttl) {
    Duration lease = Duration.ofMillis(1 + random.nextLong(ttl.toMillis()));
    ClaimRequest request =
        ClaimRequest.builder(key, "consumer-1", lease, ttl).slide(random.nextBoolean()).build();
    if (Use.claim(store, request) instanceof ClaimAnswer.Acquired acquired) {
      claims.add(request.claim(acquired.token()));
    }
  }

  private IdempotencyKey settle(RedisClaimStore store, Duration ttl, IdempotencyKey otherwise) {
    if (claims.isEmpty()) {
      return otherwise;
    }
    Claim claim = claims.remove(random.nextInt(claims.size()));
    StoredResult result = new StoredResult("text/plain", new byte[random.nextInt(100)]);
    Settlement settlement =
        switch (random.nextInt(4)) {
          case 0 -> new Settlement.Complete(result, ttl);
          case 1 -> new Settlement.Fail("broken", ttl, ttl.dividedBy(2));
          case 2 -> new Settlement.Renew(ttl, ttl);
          default -> new Settlement.Release();
        };
    store.settle(List.of(new SettleRequest(claim, settlement)));
    return claim.key();
  }
}
