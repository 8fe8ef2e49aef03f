// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import io.dedup.testkit.server.RedisCluster;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/** What an operator, or an accident, does to a Cluster. */
class OwnClusterTest {

  @RegisterExtension
  static final ServerExtension<RedisCluster> cluster = ServerExtension.own(RedisCluster::start);

  private final KeyNames names = new KeyNames("dedup", KeyFormat.digest());
  private LettuceConnectionFactory factory;
  private RedisClaimStore store;

  @BeforeEach
  void connect() {
    factory = Factories.lettuce(Factories.cluster(cluster.get()));
    store = RedisClaimStore.builder(factory).build();
  }

  @AfterEach
  void disconnect() {
    factory.destroy();
  }

  @Test
  void theCompactLayoutKnowsOnAllNodesWhatIsDone() {
    RedisClaimStore compact =
        RedisClaimStore.builder(factory).prefix("compact").layout(RedisLayout.COMPACT).build();
    compact.verify();
    List<IdempotencyKey> keys = Use.newKeys(500);
    keys.forEach(key -> Use.complete(compact, key));

    List<ClaimRequest> again = keys.stream().map(Use::request).toList();
    assertThat(compact.claim(again).claimed())
        .allSatisfy(answer -> assertThat(answer).isInstanceOf(ClaimAnswer.Completed.class));
    assertThat(compact.stats().succeeded()).isEqualTo(keys.size());
    assertThat(compact.extendScope(keys.get(0).scope(), Use.TTL.multipliedBy(2)))
        .isEqualTo(keys.size());
  }

  @Test
  void aBatchSucceedsAtTheFirstAttemptWhenNoNodeKnowsTheScripts() {
    List<IdempotencyKey> keys = Use.newKeys(200);
    List<SettleRequest> settlements =
        keys.stream().map(key -> new SettleRequest(Use.acquire(store, key), Use.DONE)).toList();
    cluster.get().nodes().forEach(node -> withRaw(node, Jedis::scriptFlush));

    Exchange exchange = store.exchange(settlements, keys.stream().map(Use::request).toList());

    assertThat(exchange.settled()).containsOnly(Use.APPLIED);
    assertThat(exchange.claimed()).allMatch(ClaimAnswer.Completed.class::isInstance);
  }

  @Test
  void aSlotOnTheMoveAnswersForKeysThatHaveMovedAndKeysThatHaveNot() {
    List<IdempotencyKey> sameSlot = keysOfOneBucket(6);
    Move move = new Move(slotOf(sameSlot.get(0)));
    List<IdempotencyKey> done = sameSlot.subList(0, 4);
    List<SettleRequest> settlements = new ArrayList<>();
    sameSlot
        .subList(0, 5)
        .forEach(key -> settlements.add(new SettleRequest(Use.acquire(store, key), Use.DONE)));

    move.begin();
    move.keys(List.of(names.of(done.get(0)).bytes(), names.of(done.get(1)).bytes()));
    Exchange during = store.exchange(settlements, sameSlot.stream().map(Use::request).toList());
    move.end(sameSlot.stream().map(key -> names.of(key).bytes()).toList());

    assertThat(during.settled()).containsOnly(Use.APPLIED);
    assertThat(during.claimed().subList(0, 5)).allMatch(ClaimAnswer.Completed.class::isInstance);
    assertThat(during.claimed().get(5)).isInstanceOf(ClaimAnswer.Acquired.class);
    assertThat(store.claim(done.stream().map(Use::request).toList()).claimed())
        .allMatch(ClaimAnswer.Completed.class::isInstance);
    move.back(sameSlot.stream().map(key -> names.of(key).bytes()).toList());
  }

  @Test
  void inTheCompactLayoutASlotOnTheMoveForgetsNothingThoughItMayNotAnswer() {
    RedisClaimStore compact =
        RedisClaimStore.builder(factory).prefix("moving").layout(RedisLayout.COMPACT).build();
    KeyNames moving = new KeyNames("moving", KeyFormat.digest());
    List<IdempotencyKey> keys = keysOfOneBucket(3);
    keys.forEach(key -> Use.complete(compact, key));
    byte[] index = moving.index(moving.of(keys.get(0)).bucket());
    Move move = new Move(JedisClusterCRC16.getSlot(index));
    List<byte[]> all = move.names("moving:*");

    move.begin();
    keys.forEach(key -> assertDoneOrUnavailable(compact, key));
    move.keys(List.of(index));
    keys.forEach(key -> assertDoneOrUnavailable(compact, key));
    move.end(all);

    keys.forEach(key -> Use.assertDone(compact, key));
    move.back(all);
    keys.forEach(key -> Use.assertDone(compact, key));
  }

  private static void assertDoneOrUnavailable(RedisClaimStore store, IdempotencyKey key) {
    try {
      Use.assertDone(store, key);
    } catch (StoreUnavailable e) {
      assertThat(e).hasMessageContaining("TRYAGAIN");
    }
  }

  @Test
  void aMasterThatIsGoneIsTroubleUntilItIsBack() {
    LettuceConnectionFactory impatient =
        Factories.lettuce(Factories.cluster(cluster.get()), Duration.ofSeconds(1));
    RedisClaimStore hasty = RedisClaimStore.builder(impatient).build();
    List<ClaimRequest> requests = Use.newKeys(50).stream().map(Use::request).toList();
    try {
      hasty.claim(List.of(Use.request(Use.newKey())));
      cluster.get().nodes().get(1).kill();
      assertThatThrownBy(() -> hasty.claim(requests)).isInstanceOf(StoreUnavailable.class);
      cluster.get().nodes().get(1).restart();

      Exchange exchange =
          Awaitility.await()
              .ignoreExceptionsInstanceOf(StoreUnavailable.class)
              .until(() -> hasty.claim(requests), answer -> true);
      assertThat(exchange.claimed()).allMatch(ClaimAnswer.Acquired.class::isInstance);
    } finally {
      impatient.destroy();
    }
  }

  private List<IdempotencyKey> keysOfOneBucket(int count) {
    int bucket = names.of(Use.newKey()).bucket();
    return Stream.generate(Use::newKey)
        .filter(key -> names.of(key).bucket() == bucket)
        .limit(count)
        .toList();
  }

  private int slotOf(IdempotencyKey key) {
    return JedisClusterCRC16.getSlot(names.of(key).bytes());
  }

  private static void withRaw(RedisServer node, Consumer<Jedis> work) {
    try (Jedis jedis = new Jedis(node.host(), node.port())) {
      work.accept(jedis);
    }
  }

  /** A slot's move to the next master, step by step. */
  private static final class Move {

    private final int slot;
    private final RedisServer from;
    private final RedisServer to;

    Move(int slot) {
      List<RedisServer> nodes = cluster.get().nodes();
      int owner = slot * nodes.size() / 16_384;
      this.slot = slot;
      this.from = nodes.get(owner);
      this.to = nodes.get((owner + 1) % nodes.size());
    }

    private Move(int slot, RedisServer from, RedisServer to) {
      this.slot = slot;
      this.from = from;
      this.to = to;
    }

    void begin() {
      withRaw(to, jedis -> jedis.clusterSetSlotImporting(slot, id(from)));
      withRaw(from, jedis -> jedis.clusterSetSlotMigrating(slot, id(to)));
      withRaw(to, Jedis::scriptFlush);
    }

    void keys(List<byte[]> names) {
      withRaw(
          from,
          jedis ->
              jedis.migrate(
                  to.host(), to.port(), 5_000, new MigrateParams(), names.toArray(byte[][]::new)));
    }

    void end(List<byte[]> names) {
      keys(names);
      withRaw(to, jedis -> jedis.clusterSetSlotNode(slot, id(to)));
      withRaw(from, jedis -> jedis.clusterSetSlotNode(slot, id(to)));
    }

    List<byte[]> names(String pattern) {
      List<byte[]> names = new ArrayList<>();
      withRaw(
          from,
          jedis ->
              jedis.keys(pattern.getBytes(StandardCharsets.US_ASCII)).stream()
                  .filter(name -> JedisClusterCRC16.getSlot(name) == slot)
                  .forEach(names::add));
      return names;
    }

    void back(List<byte[]> names) {
      Move back = new Move(slot, to, from);
      back.begin();
      back.end(names);
    }

    private static String id(RedisServer node) {
      try (Jedis jedis = new Jedis(node.host(), node.port())) {
        return jedis.clusterMyId();
      }
    }
  }
}
