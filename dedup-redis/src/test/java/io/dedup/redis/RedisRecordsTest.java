// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** What is in Redis, byte by byte: ours, and what is not ours. */
class RedisRecordsTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  /** With what Redis adds, it takes 80 bytes, the largest it allocates before 96. */
  private static final int RECORD_BYTES_MAX = 76;

  private static Driver.Connections connections;
  private static RedisClaimStore store;
  private final KeyNames names = new KeyNames("dedup", KeyFormat.digest());
  private final IdempotencyKey key = Use.newKey();
  private final byte[] name = names.of(key).bytes();
  private Jedis raw;

  @BeforeAll
  static void connect() {
    connections = Driver.LETTUCE.connect(redis.get().host(), redis.get().port());
    store = connections.store();
  }

  @AfterAll
  static void disconnect() throws Exception {
    connections.close();
  }

  @BeforeEach
  void connectRaw() {
    raw = new Jedis(redis.get().host(), redis.get().port());
  }

  @AfterEach
  void disconnectRaw() {
    raw.del(name); // what is not ours must not meet the next test class
    raw.close();
  }

  @Test
  void whatIsDoneWithoutResultIsOneTextOfAtMost76Bytes() {
    Use.complete(store, key);

    assertThat(raw.get(name)).hasSizeLessThanOrEqualTo(RECORD_BYTES_MAX);
  }

  @Test
  void aResultCostsItsOwnBytesAndItsContentType() {
    IdempotencyKey other = Use.newKey();
    StoredResult result = new StoredResult("text/plain", bytes("paid"));
    Use.complete(store, other);
    Use.settle(store, Use.acquire(store, key), new Settlement.Complete(result, Use.TTL));

    assertThat(raw.get(name).length - raw.get(names.of(other).bytes()).length)
        .isEqualTo(1 + "text/plain".length() + "paid".length());
  }

  @Test
  void whatWasCompletedInTimeLooksLikeWhatWasCompletedLate() {
    // Redis is not told anew when to forget a key that it would forget a little later anyway.
    Use.complete(store, key);
    long kept = raw.pttl(name);
    IdempotencyKey renewed = Use.newKey();
    Claim claim = Use.acquire(store, renewed);
    Use.settle(store, claim, new Settlement.Renew(Use.LEASE, Use.TTL.multipliedBy(3)));
    Use.settle(store, claim, Use.DONE);

    long longest = Use.TTL.plus(Use.LEASE).plusMinutes(1).toMillis();
    assertThat(kept).isBetween(Use.TTL.toMillis(), longest);
    assertThat(raw.pttl(names.of(renewed).bytes())).isBetween(Use.TTL.toMillis(), longest);
  }

  @Test
  void aKeyIsTheSameBytesByEveryDriver() throws Exception {
    for (Driver driver : Driver.values()) {
      IdempotencyKey other = Use.newKey();
      try (Driver.Connections others = driver.connect(redis.get().host(), redis.get().port())) {
        Use.acquire(others.store(), other);
      }

      assertThat(raw.exists(names.of(other).bytes())).as("by %s", driver).isTrue();
    }
  }

  @Test
  void theKeysOfAScopeAreFoundByEveryDriver() throws Exception {
    for (Driver driver : Driver.values()) {
      try (Driver.Connections others = driver.connect(redis.get().host(), redis.get().port())) {
        IdempotencyKey other = IdempotencyKey.of("scope " + key.id() + driver, "1");
        Use.complete(others.store(), other);
        Duration longer = Use.TTL.multipliedBy(2);

        assertThat(others.store().extendScope(other.scope(), longer)).as("by %s", driver).isOne();
      }
    }
  }

  @Test
  void aRecordIsReadAsItWasWritten() {
    ClaimRequest request = Use.request(key);
    Use.claim(store, request);

    ClaimRecord record = store.find(key).orElseThrow();

    assertThat(record.claimId()).isEqualTo(request.claimId());
    assertThat(record.owner()).isEqualTo(request.owner());
    assertThat(record.fingerprint()).isEqualTo(request.fingerprint());
    assertThat(record.origin()).isEqualTo(request.origin());
    assertThat(Duration.between(record.updated(), record.busyUntil())).isEqualTo(Use.LEASE);
    assertThat(Duration.between(record.busyUntil(), record.expires())).isEqualTo(Use.TTL);
  }

  @Test
  void redisForgetsAMinuteAfterWeDo() {
    Use.acquire(store, key);

    long kept = Use.LEASE.plus(Use.TTL).plusMinutes(1).toMillis();
    assertThat(raw.pttl(name)).isBetween(kept - Duration.ofMinutes(1).toMillis(), kept);
  }

  @Test
  void aTtlOfAMillisecondIsKeptAndAShorterOneRefused() {
    assertThat(store.issue(key, Duration.ofMillis(1))).isTrue();
    assertThat(raw.pttl(name)).isPositive();

    for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(500_000))) {
      assertThatThrownBy(() -> store.issue(Use.newKey(), ttl))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("ttl: was " + ttl + ", must be at least PT0.001S");
    }
  }

  @Test
  void aTokenThatLuaCannotCountIsRefusedBeforeItIsSent() {
    ClaimRequest request =
        ClaimRequest.builder(key, "consumer-1", Use.LEASE, Use.TTL).tokenFloor(1L << 53).build();

    assertThatThrownBy(() -> Use.claim(store, request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tokenFloor: was 9007199254740992, must be 0 to 9007199254740991 for a store on Redis");
    assertThat(raw.exists(name)).isFalse();
  }

  @Test
  void theLargestTokenThatLuaCanCountIsExact() {
    long largest = (1L << 53) - 2;
    ClaimRequest request =
        ClaimRequest.builder(key, "consumer-1", Use.LEASE, Use.TTL).tokenFloor(largest).build();

    Use.claim(store, request);

    assertThat(store.find(key).orElseThrow().token()).isEqualTo(largest);
  }

  static Stream<Arguments> foreignValues() {
    return Stream.of(
        foreign("a text", r -> r.jedis.set(r.name, bytes("COMPLETED")), "format version is 67"),
        foreign("an empty text", r -> r.jedis.set(r.name, bytes("")), "format version is missing"),
        foreign("a list", r -> r.jedis.rpush(r.name, bytes("COMPLETED")), "is no text"),
        foreign("a hash", r -> r.jedis.hset(r.name, bytes("d"), bytes("DONE")), "is no text"),
        foreign(
            "a record of another format version",
            r -> r.jedis.set(r.name, new byte[] {3, 3, 0}),
            "format version is 3, must be 2"),
        foreign(
            "a record in an unknown state",
            r -> r.jedis.set(r.name, new byte[] {2, 6, 0}),
            "state and start are 6"),
        foreign(
            "a record without its fields", r -> r.jedis.set(r.name, new byte[] {2, 3, 0}), "ends"),
        foreign(
            "a record cut short",
            r -> r.jedis.set(r.name, Arrays.copyOf(done(), done().length - 1)),
            "ends"),
        foreign(
            "a record with a tail",
            r -> r.jedis.set(r.name, Arrays.copyOf(done(), done().length + 1)),
            "ends"));
  }

  /** What is done, as any record of that kind. */
  private static byte[] done() {
    IdempotencyKey other = IdempotencyKey.of("orders", "a record to copy");
    byte[] name = new KeyNames("dedup", KeyFormat.digest()).of(other).bytes();
    store.forget(other);
    Use.complete(store, other);
    try (Jedis jedis = new Jedis(redis.get().host(), redis.get().port())) {
      return jedis.get(name);
    }
  }

  private record Raw(Jedis jedis, byte[] name) {}

  private static Arguments foreign(String what, Consumer<Raw> write, String why) {
    return Arguments.of(what, write, why);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("foreignValues")
  void whatIsNotOursIsTroubleAndStaysAsItIs(String what, Consumer<Raw> write, String why) {
    write.accept(new Raw(raw, name));
    byte[] before = raw.dump(name);
    List<Runnable> verbs =
        List.of(
            () -> Use.claim(store, forced(key)),
            () -> Use.settle(store, Use.request(key).claim(1), new Settlement.Release()),
            () -> store.issue(key, Use.TTL),
            () -> store.find(key),
            () -> store.reopen(key, "ann", "try again"),
            () -> store.forget(key),
            () -> store.extend(List.of(key), Use.TTL));

    for (Runnable verb : verbs) {
      assertThatThrownBy(verb::run)
          .isInstanceOf(StoreCorrupt.class)
          .hasMessageContaining(HexFormat.of().formatHex(name))
          .hasMessageContaining(why);
    }
    assertThat(raw.dump(name)).isEqualTo(before);
    assertThat(raw.pttl(name)).isEqualTo(-1);
  }

  @Test
  void aBatchWithAForeignKeyIsTroubleAndTheOthersCanBeSentAgain() {
    raw.set(name, bytes("COMPLETED"));
    ClaimRequest fine = Use.request(Use.newKey());

    assertThatThrownBy(() -> store.claim(List.of(Use.request(key), fine)))
        .isInstanceOf(StoreCorrupt.class);

    assertThat(Use.claim(store, fine)).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  private static ClaimRequest forced(IdempotencyKey key) {
    return ClaimRequest.builder(key, "consumer-1", Use.LEASE, Use.TTL).force(true).build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
