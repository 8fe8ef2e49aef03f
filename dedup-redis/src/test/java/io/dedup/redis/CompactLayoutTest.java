// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreMisconfigured;
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
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

class CompactLayoutTest {

  /** More than the first four pages of a bucket take. */
  private static final int KEYS_OF_ONE_BUCKET = 2_500;

  private static final long SEED = 20_240_302;
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(68);
  private static final Duration SLACK = Duration.ofMinutes(1);

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private final ManualTime time = ManualTime.startingAt(Instant.parse("2021-05-17T09:41:23Z"));
  private final String prefix = "compact-" + UUID.randomUUID();
  private final KeyNames names = new KeyNames(prefix, KeyFormat.digest());
  private final IdempotencyKey key = Use.newKey();
  private LettuceConnectionFactory factory;
  private RedisClaimStore store;
  private Jedis raw;

  @BeforeEach
  void connect() {
    factory = Factories.lettuce(Factories.standalone(redis.get().host(), redis.get().port()));
    store = builder().layout(RedisLayout.COMPACT).build();
    raw = new Jedis(redis.get().host(), redis.get().port());
  }

  @AfterEach
  void disconnect() {
    raw.close();
    factory.destroy();
  }

  @Test
  void whatIsDoneHasNoTextOfItsOwnAndIsKnown() {
    Use.complete(store, key);

    assertThat(raw.exists(names.of(key).bytes())).isFalse();
    Use.assertDone(store, key);
    assertThat(store.stats().succeeded()).isOne();
  }

  @Test
  void whatHasAResultIsKeptWithIt() {
    StoredResult result =
        new StoredResult("text/plain", "paid".getBytes(StandardCharsets.US_ASCII));
    Use.settle(store, Use.acquire(store, key), new Settlement.Complete(result, Use.TTL));

    assertThat(Use.claim(store, key))
        .isInstanceOfSatisfying(
            ClaimAnswer.Completed.class, done -> assertThat(done.result()).isEqualTo(result));
  }

  @Test
  void aKeyIsKnownForItsTtlAndRedisDropsItSoonAfter() {
    Random random = new Random(SEED);
    for (int i = 0; i < 200; i++) {
      IdempotencyKey one = Use.newKey();
      Duration ttl = Duration.ofMillis(1 + (long) Math.pow(10, 1 + 9 * random.nextDouble()));
      Claim claim = acquire(store, one, ttl);
      Use.settle(store, claim, new Settlement.Complete(null, ttl));
      Instant expires = time.now().plus(ttl);
      time.advance(ttl.minusNanos(1_000));
      Use.assertDone(store, one);
      time.advance(Duration.ofNanos(1_000));
      assertThat(store.find(one)).as("at %s, ttl %s", expires, ttl).isEmpty();
    }
  }

  @Test
  void aPageIsDroppedAfterTheLastOfItsKeysHasExpiredAndBeforeAQuarterOfTheTtlMore() {
    for (Duration ttl : List.of(Duration.ofMinutes(1), Duration.ofHours(3), Duration.ofDays(30))) {
      String own = prefix + "/" + ttl;
      RedisClaimStore one = builder().prefix(own).layout(RedisLayout.COMPACT).build();
      for (int i = 0; i < 50; i++) {
        Use.settle(one, acquire(one, Use.newKey(), ttl), new Settlement.Complete(null, ttl));
      }

      Duration quarter = ttl.dividedBy(4);
      Duration period = quarter.compareTo(SHORTEST_PERIOD) > 0 ? quarter : SHORTEST_PERIOD;
      long latest = ttl.plus(period).plus(SLACK).toMillis();
      Set<byte[]> all = raw.keys((own + "*").getBytes(StandardCharsets.US_ASCII));
      assertThat(all).isNotEmpty();
      assertThat(all).allSatisfy(n -> assertThat(raw.pttl(n)).isBetween(ttl.toMillis(), latest));
    }
  }

  @Test
  void aBucketThatFillsUpGetsMorePagesAndForgetsNothing() {
    List<IdempotencyKey> keys = keysOfOneBucket();
    completeAll(keys);

    for (int from = 0; from < keys.size(); from += 500) {
      List<ClaimRequest> again = keys.subList(from, from + 500).stream().map(Use::request).toList();
      assertThat(store.claim(again).claimed())
          .allSatisfy(answer -> assertThat(answer).isInstanceOf(ClaimAnswer.Completed.class));
    }
    List<byte[]> pages =
        List.copyOf(raw.keys((prefix + ":{*}#?*").getBytes(StandardCharsets.US_ASCII)));
    assertThat(pages).hasSizeGreaterThan(4);
    assertThat(pages)
        .allSatisfy(
            page ->
                assertThat(new String(raw.objectEncoding(page), StandardCharsets.US_ASCII))
                    .isIn("ziplist", "listpack"));
    assertThat(store.stats().succeeded()).isEqualTo(keys.size());
  }

  @Test
  void aWholeScopeIsExtendedAndStillForgottenByItsNewTtl() {
    Use.complete(store, key);

    assertThat(store.extendScope(key.scope(), Use.TTL.multipliedBy(2))).isOne();
    time.advance(Use.TTL.multipliedBy(2).minusNanos(1_000));
    Use.assertDone(store, key);
    time.advance(Duration.ofNanos(1_000));
    Use.assertAcquired(store, key);
  }

  @Test
  void whatWasDoneInTheStandardLayoutIsStillDone() {
    Use.complete(builder().build(), key);

    Use.assertDone(store, key);
  }

  @Test
  void theStandardLayoutIsRefusedWhileKeysAreKeptInTheOther() {
    RedisClaimStore standard = builder().build();
    standard.verify();
    Use.complete(store, key);

    assertThatThrownBy(standard::verify)
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageStartingWith("layout: was standard, must be compact");
    store.verify();
  }

  @Test
  void keysThatAreNoDigestsAreRefused() {
    assertThatThrownBy(
            () -> builder().layout(RedisLayout.COMPACT).keyFormat(KeyFormat.readable()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("layout: was compact");
    builder()
        .layout(RedisLayout.COMPACT)
        .keyFormat(KeyFormat.hmac("sixteen bytes or more".getBytes(StandardCharsets.US_ASCII)))
        .build();
  }

  private RedisClaimStore.Builder builder() {
    return RedisClaimStore.builder(factory).prefix(prefix).time(time);
  }

  private static Claim acquire(RedisClaimStore store, IdempotencyKey key, Duration ttl) {
    ClaimRequest request = ClaimRequest.builder(key, "consumer-1", ttl, ttl).build();
    return request.claim(((ClaimAnswer.Acquired) Use.claim(store, request)).token());
  }

  private void completeAll(List<IdempotencyKey> keys) {
    for (int from = 0; from < keys.size(); from += 500) {
      List<ClaimRequest> requests =
          keys.subList(from, from + 500).stream().map(Use::request).toList();
      List<ClaimAnswer> answers = store.claim(requests).claimed();
      List<SettleRequest> settlements = new ArrayList<>();
      for (int i = 0; i < requests.size(); i++) {
        long token = ((ClaimAnswer.Acquired) answers.get(i)).token();
        settlements.add(new SettleRequest(requests.get(i).claim(token), Use.DONE));
      }
      assertThat(store.settle(settlements).settled()).containsOnly(Use.APPLIED);
    }
  }

  private List<IdempotencyKey> keysOfOneBucket() {
    List<IdempotencyKey> keys = new ArrayList<>();
    for (int i = 0; keys.size() < KEYS_OF_ONE_BUCKET; i++) {
      IdempotencyKey one = IdempotencyKey.of("orders", Integer.toString(i));
      if (names.of(one).bucket() == 7) {
        keys.add(one);
      }
    }
    return keys;
  }
}
