// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import redis.clients.jedis.Jedis;

/** What callers do with their own connections of the same factory means nothing to the store. */
class RedisConnectionsTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  @ParameterizedTest
  @EnumSource
  void aClaimWithinTheCallersTransactionIsAnsweredAndStaysWhenThatRollsBack(Driver driver)
      throws Exception {
    try (Driver.Connections connections = connect(driver)) {
      StringRedisTemplate template = new StringRedisTemplate(connections.factory());
      template.setEnableTransactionSupport(true);
      IdempotencyKey key = Use.newKey();

      new TransactionTemplate(new NoResource())
          .executeWithoutResult(
              status -> {
                template.opsForValue().set("caller:" + key.id(), "queued");
                Use.complete(connections.store(), key);
                status.setRollbackOnly();
              });

      Use.assertDone(connections.store(), key);
      assertThat(template.hasKey("caller:" + key.id())).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClaimBetweenMultiAndExecIsAnsweredAtOnce(Driver driver) throws Exception {
    try (Driver.Connections connections = connect(driver)) {
      StringRedisTemplate template = new StringRedisTemplate(connections.factory());
      IdempotencyKey key = Use.newKey();

      List<Object> executed =
          template.execute(
              new SessionCallback<List<Object>>() {
                @Override
                public <K, V> List<Object> execute(RedisOperations<K, V> operations)
                    throws DataAccessException {
                  operations.multi();
                  Use.complete(connections.store(), key);
                  return operations.exec();
                }
              });

      assertThat(executed).isEmpty();
      Use.assertDone(connections.store(), key);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClaimWithinTheCallersPipelineIsAnsweredAtOnce(Driver driver) throws Exception {
    try (Driver.Connections connections = connect(driver)) {
      StringRedisTemplate template = new StringRedisTemplate(connections.factory());
      IdempotencyKey key = Use.newKey();

      List<Object> pipelined =
          template.executePipelined(
              (RedisCallback<Object>)
                  connection -> {
                    Use.complete(connections.store(), key);
                    return null;
                  });

      assertThat(pipelined).isEmpty();
      Use.assertDone(connections.store(), key);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClaimAfterScriptFlushSucceedsAtTheFirstAttempt(Driver driver) throws Exception {
    try (Driver.Connections connections = connect(driver);
        Jedis raw = new Jedis(redis.get().host(), redis.get().port())) {
      IdempotencyKey key = Use.newKey();
      Claim claim = Use.acquire(connections.store(), key);

      raw.scriptFlush();
      assertThat(Use.settle(connections.store(), claim, Use.DONE)).isEqualTo(Use.APPLIED);
      raw.scriptFlush();

      assertThat(connections.store().find(key).orElseThrow().token()).isEqualTo(claim.token());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBatchOfMoreThanOneRoundIsAnsweredInOrder(Driver driver) throws Exception {
    try (Driver.Connections connections = connect(driver)) {
      RedisClaimStore store = connections.store();
      List<IdempotencyKey> keys = Use.newKeys(ScriptRunner.REQUESTS_PER_ROUND + 100);
      List<SettleRequest> settlements = new ArrayList<>();
      keys.forEach(key -> settlements.add(new SettleRequest(Use.acquire(store, key), Use.DONE)));

      Exchange exchange = store.exchange(settlements, keys.stream().map(Use::request).toList());

      assertThat(exchange.settled()).hasSize(keys.size()).containsOnly(Use.APPLIED);
      assertThat(exchange.claimed())
          .map(answer -> ((ClaimAnswer.Completed) answer).token())
          .isEqualTo(settlements.stream().map(s -> s.claim().token()).toList());
    }
  }

  private static Driver.Connections connect(Driver driver) {
    return driver.connect(redis.get().host(), redis.get().port());
  }

  /** Transactions of nothing: what is bound to them is what templates bind. */
  private static final class NoResource extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }
}
