// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreUnavailable;
import io.dedup.testkit.server.FaultProxy;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A network that fails between the store and Redis. */
class RedisFaultsTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private FaultProxy proxy;
  private LettuceConnectionFactory factory;
  private RedisClaimStore store;

  @BeforeEach
  void connect() {
    proxy = FaultProxy.before(redis.get());
    factory = Factories.lettuce(Factories.standalone(proxy.host(), proxy.port()), TIMEOUT);
    store = RedisClaimStore.builder(factory).build();
    Use.acquire(store, Use.newKey()); // connected, and the script is known
  }

  @AfterEach
  void disconnect() {
    factory.destroy();
    proxy.close();
  }

  @Test
  void aNetworkThatDeliversNothingIsTroubleAfterTheTimeout() {
    assertTroubleThenTheSameAnswer(FaultProxy::stall);
  }

  @Test
  void aRefusedConnectionIsTrouble() {
    assertTroubleThenTheSameAnswer(FaultProxy::refuse);
  }

  @Test
  void repliesThatNeverArriveAreTroubleAndAClaimSentAgainIsTheSameClaim() {
    assertTroubleThenTheSameAnswer(FaultProxy::cutReplies);
  }

  /** Lettuce sends a command again when it has reconnected: the claim meets itself. */
  @Test
  void aClaimThatTheDriverSendsAgainIsAcquiredOnce() {
    ClaimRequest request = Use.request(Use.newKey());
    proxy.dropNextReply();

    ClaimAnswer.Acquired acquired = (ClaimAnswer.Acquired) answered(request);

    assertThat(acquired.attempt()).isEqualTo(1);
    assertThat(store.find(request.key()).orElseThrow().token()).isEqualTo(acquired.token());
  }

  private void assertTroubleThenTheSameAnswer(Consumer<FaultProxy> fault) {
    ClaimRequest request = Use.request(Use.newKey());
    fault.accept(proxy);

    assertThatThrownBy(() -> Use.claim(store, request)).isInstanceOf(StoreUnavailable.class);
    proxy.heal();

    ClaimAnswer.Acquired acquired = (ClaimAnswer.Acquired) answered(request);
    assertThat(acquired.attempt()).isEqualTo(1);
    assertThat(acquired.takenOver()).isFalse();
    assertThat(Use.claim(store, request)).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  private ClaimAnswer answered(ClaimRequest request) {
    return Awaitility.await()
        .ignoreExceptionsInstanceOf(StoreUnavailable.class)
        .until(() -> Use.claim(store, request), answer -> true);
  }
}
