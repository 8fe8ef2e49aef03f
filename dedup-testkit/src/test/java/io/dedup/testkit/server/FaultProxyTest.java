// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FaultProxyTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private final String key = "counter-" + UUID.randomUUID();
  private FaultProxy proxy;
  private Resp client;

  @BeforeEach
  void aClientBehindAProxy() throws IOException {
    proxy = FaultProxy.before(redis.get());
    client = new Resp(proxy.host(), proxy.port());
    assertThat(client.call("PING")).isEqualTo("PONG");
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
  }

  @Test
  void passesLargeRequestsAndRepliesThrough() throws IOException {
    String large = "0123456789abcdef".repeat(500_000);
    client.call("SET", key, large);
    assertThat(client.call("GET", key)).isEqualTo(large);
    client.call("DEL", key);
  }

  @Test
  void refusesOpenConnectionsAndNewOnesUntilHealed() throws IOException {
    proxy.refuse();
    assertThatThrownBy(() -> client.call("PING")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> throughProxy("PING")).isInstanceOf(IOException.class);
    proxy.heal();
    assertThat(throughProxy("PING")).isEqualTo("PONG");
  }

  @Test
  void losesEveryAnswerToRequestsThatTookEffect() throws IOException {
    proxy.cutReplies();
    assertThatThrownBy(() -> client.call("INCR", key)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> throughProxy("INCR", key)).isInstanceOf(IOException.class);
    assertThat(direct("GET", key)).isEqualTo("2");
    proxy.heal();
    assertThat(throughProxy("INCR", key)).isEqualTo("3");
  }

  @Test
  void losesOneAnswerToARequestThatTookEffect() throws IOException {
    proxy.dropNextReply();
    assertThatThrownBy(() -> client.call("INCR", key)).isInstanceOf(IOException.class);
    assertThat(direct("GET", key)).isEqualTo("1");
    assertThat(throughProxy("INCR", key)).isEqualTo("2");
  }

  @Test
  void deliversWhatItHeldBackWhenHealed() throws IOException {
    proxy.stall();
    client.timeOut(Duration.ofMillis(200));
    assertThatThrownBy(() -> client.call("INCR", key)).isInstanceOf(SocketTimeoutException.class);
    assertThat(direct("GET", key)).as("the request has not arrived").isEmpty();
    client.timeOut(Duration.ofSeconds(10));
    proxy.heal();
    assertThat(client.answer()).isEqualTo("1");
  }

  @Test
  void delaysEachDirection() throws IOException {
    proxy.latency(Duration.ofMillis(100));
    long from = System.nanoTime();
    assertThat(client.call("PING")).isEqualTo("PONG");
    assertThat(Duration.ofNanos(System.nanoTime() - from))
        .isGreaterThanOrEqualTo(Duration.ofMillis(200));
  }

  @Test
  void keepsTheOrderWhenLatencyFalls() throws IOException {
    for (int sent = 0; sent < 100; sent++) {
      proxy.latency(Duration.ofMillis(100 - sent));
      client.send("INCR", key);
    }
    for (int answered = 1; answered <= 100; answered++) {
      assertThat(client.answer()).isEqualTo(Integer.toString(answered));
    }
  }

  @Test
  void aServerThatIsDownLooksDown() throws IOException {
    try (RedisServer own = RedisServer.start();
        FaultProxy before = FaultProxy.before(own)) {
      assertThat(Resp.ask(before.host(), before.port(), "PING")).isEqualTo("PONG");
      own.kill();
      assertThatThrownBy(() -> Resp.ask(before.host(), before.port(), "PING"))
          .isInstanceOf(IOException.class);
      own.restart();
      assertThat(Resp.ask(before.host(), before.port(), "PING")).isEqualTo("PONG");
    }
  }

  @Test
  void cutsItsConnectionsAndListensNoMoreWhenClosed() {
    proxy.close();
    assertThatThrownBy(() -> client.call("PING")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> throughProxy("PING")).isInstanceOf(IOException.class);
  }

  @Test
  void refusesANegativeLatency() {
    assertThatThrownBy(() -> proxy.latency(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("latency: was PT-0.001S, must be >= PT0S");
  }

  private String throughProxy(String... command) throws IOException {
    return Resp.ask(proxy.host(), proxy.port(), command);
  }

  private static String direct(String... command) throws IOException {
    return Resp.ask(redis.get().host(), redis.get().port(), command);
  }
}
