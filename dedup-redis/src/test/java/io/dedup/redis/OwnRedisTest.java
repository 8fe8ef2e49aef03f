// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Claim;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

/** What an operator, or an accident, does to a Redis. */
class OwnRedisTest {

  @RegisterExtension
  static final ServerExtension<RedisServer> redis =
      ServerExtension.own(() -> RedisServer.start("appendonly no"));

  private final IdempotencyKey key = Use.newKey();
  private LettuceConnectionFactory factory;
  private RedisClaimStore store;
  private Jedis raw;

  @BeforeEach
  void connect() {
    factory = Factories.lettuce(Factories.standalone(redis.get().host(), redis.get().port()));
    store = RedisClaimStore.builder(factory).build();
    raw = new Jedis(redis.get().host(), redis.get().port());
  }

  @AfterEach
  void disconnect() {
    raw.close();
    factory.destroy();
  }

  @Test
  void aReplicaAnswersNothingAndTheMasterItBecomesAnswersAgain() {
    Claim claim = Use.complete(store, key);
    raw.replicaof("127.0.0.1", 1); // where nobody is
    try {
      assertUnavailable(() -> Use.claim(store, key), "READONLY");
      assertUnavailable(() -> Use.settle(store, claim, Use.DONE), "READONLY");
      assertUnavailable(() -> store.find(key), "READONLY");
    } finally {
      raw.replicaofNoOne();
    }

    Use.assertDone(store, key);
  }

  @Test
  void aFullRedisStoresNothingAndStillKnowsWhatIsDone() {
    IdempotencyKey done = Use.newKey();
    Use.complete(store, done);
    Claim open = Use.acquire(store, Use.newKey());
    raw.configSet("maxmemory", "1"); // a byte
    try {
      assertUnavailable(() -> Use.claim(store, key), "OOM");
      assertUnavailable(() -> Use.settle(store, open, Use.DONE), "OOM");
      Use.assertDone(store, done);
    } finally {
      raw.configSet("maxmemory", "0");
    }

    assertThat(Use.settle(store, open, Use.DONE)).isEqualTo(Use.APPLIED);
    Use.assertAcquired(store, key);
  }

  @Test
  void aRestartWithoutPersistenceForgetsWhatWasDone() {
    Use.complete(store, key);

    redis.get().restart();

    Awaitility.await()
        .untilAsserted(() -> assertThatCode(() -> store.find(key)).doesNotThrowAnyException());
    Use.assertAcquired(store, key);
  }

  @Test
  void aStopIsTroubleAndAStartIsAllItTakes() {
    LettuceConnectionFactory impatient =
        Factories.lettuce(
            Factories.standalone(redis.get().host(), redis.get().port()), Duration.ofMillis(500));
    try {
      RedisClaimStore hasty = RedisClaimStore.builder(impatient).build();
      Use.acquire(hasty, Use.newKey());
      redis.get().stop();
      assertUnavailable(() -> Use.claim(hasty, key), "");
      redis.get().restart();

      Awaitility.await()
          .untilAsserted(() -> assertThatCode(() -> hasty.find(key)).doesNotThrowAnyException());
    } finally {
      impatient.destroy();
    }
  }

  @Test
  void aRedisThatIsNotThereIsUnavailableAtTheCheckAndNotBefore() {
    LettuceConnectionFactory nowhere = Factories.lettuce(Factories.standalone("127.0.0.1", 1));
    try {
      RedisClaimStore unreachable = RedisClaimStore.builder(nowhere).build();

      assertUnavailable(unreachable::verify, "");
    } finally {
      nowhere.destroy();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-@scripting", "-eval -evalsha", "-evalsha", "-set", "-mget"})
  void aUserWhoMayNotRunOurScriptsIsRefusedAtTheCheck(String rights) {
    RedisClaimStore limited = storeOf("~* +@all " + rights);

    assertThatThrownBy(limited::verify)
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("EVAL");
    factoryOfUser.destroy();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~dedup:* +@all -script",
        "~dedup:* +eval +evalsha +time +mget +set +getex +exists +del +scan +info"
      })
  void aUserWhoMayDoNoMoreThanWeNeedPassesTheCheck(String rights) {
    RedisClaimStore limited = storeOf(rights);

    limited.verify();
    Use.complete(limited, key);
    assertThat(limited.stats().succeeded()).isPositive();
    factoryOfUser.destroy();
  }

  private LettuceConnectionFactory factoryOfUser;

  private RedisClaimStore storeOf(String rights) {
    raw.aclDelUser("limited");
    raw.aclSetUser("limited", List.of(("on >secret " + rights).split(" ")).toArray(String[]::new));
    RedisStandaloneConfiguration configuration =
        Factories.standalone(redis.get().host(), redis.get().port());
    configuration.setUsername("limited");
    configuration.setPassword("secret");
    factoryOfUser = Factories.lettuce(configuration);
    return RedisClaimStore.builder(factoryOfUser).build();
  }

  @Test
  void aUserWithTheWrongPasswordIsRefused() {
    raw.aclSetUser("stranger", "on", ">secret", "~*", "+@all");
    RedisStandaloneConfiguration configuration =
        Factories.standalone(redis.get().host(), redis.get().port());
    configuration.setUsername("stranger");
    configuration.setPassword("guess");
    LettuceConnectionFactory wrong = Factories.lettuce(configuration);
    try {
      assertThatThrownBy(() -> RedisClaimStore.builder(wrong).build().verify())
          .isInstanceOf(StoreMisconfigured.class)
          .hasMessageContaining("WRONGPASS");
    } finally {
      wrong.destroy();
    }
  }

  @Test
  void evictionIsWarnedOfAtTheCheck() {
    raw.configSet("maxmemory-policy", "allkeys-lru");
    try {
      assertThat(logOf(store::verify)).contains("maxmemory-policy was allkeys-lru");
    } finally {
      raw.configSet("maxmemory-policy", "noeviction");
    }
    assertThat(logOf(store::verify)).doesNotContain("maxmemory-policy");
  }

  private static String logOf(Runnable work) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  private static void assertUnavailable(Runnable work, String because) {
    assertThatThrownBy(work::run)
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(because);
  }
}
