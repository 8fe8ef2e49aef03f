// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.redis.RedisClaimStore;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Two servers that share a Redis, and clients that call again. */
class PaymentServerTest {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();

  private final AtomicInteger charges = new AtomicInteger();
  private final AtomicReference<DedupContext> claim = new AtomicReference<>();
  private volatile UnaryOperator<String> charge = order -> "receipt of " + order;
  private final String key = UUID.randomUUID().toString();
  private LettuceConnectionFactory redis;
  private Deduplicator deduplicator;
  private Deduplicator otherDeduplicator;
  private PaymentServer server;
  private PaymentServer otherServer;
  private ManagedChannel channel;
  private ManagedChannel otherChannel;

  @BeforeEach
  void start() throws Exception {
    redis = new LettuceConnectionFactory(REDIS.get().host(), REDIS.get().port());
    redis.afterPropertiesSet();
    redis.start();
    deduplicator = Deduplicator.builder(RedisClaimStore.builder(redis).build()).build();
    otherDeduplicator = Deduplicator.builder(RedisClaimStore.builder(redis).build()).build();
    server = PaymentServer.start(deduplicator, this::charged);
    otherServer = PaymentServer.start(otherDeduplicator, this::charged);
    channel = channel(server);
    otherChannel = channel(otherServer);
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    otherChannel.shutdownNow();
    server.close();
    otherServer.close();
    deduplicator.close();
    otherDeduplicator.close();
    redis.destroy();
  }

  private static ManagedChannel channel(PaymentServer to) {
    return NettyChannelBuilder.forAddress(
            InetAddress.getLoopbackAddress().getHostAddress(), to.port())
        .usePlaintext()
        .build();
  }

  private String charged(String order) {
    claim.set(IdempotencyInterceptor.CLAIM.get());
    String receipt = charge.apply(order);
    return receipt + ", number " + charges.incrementAndGet();
  }

  private static String pay(Channel to, String key, String order) {
    Metadata headers = new Metadata();
    if (!key.isEmpty()) {
      headers.put(IdempotencyInterceptor.KEY, key);
    }
    Channel keyed =
        ClientInterceptors.intercept(to, MetadataUtils.newAttachHeadersInterceptor(headers));
    return ClientCalls.blockingUnaryCall(
        keyed, Payments.PAY, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), order);
  }

  @Test
  void aCallThatIsSentTwiceChargesOnceAndGetsTheFirstReceipt() {
    String first = pay(channel, key, "order 7");

    assertThat(pay(channel, key, "order 7")).isEqualTo(first);
    assertThat(pay(otherChannel, key, "order 7")).isEqualTo(first);
    assertThat(charges).hasValue(1);
    assertThat(pay(channel, key + "-2", "order 7")).isNotEqualTo(first);
  }

  @Test
  void theMethodKnowsItsClaim() {
    pay(channel, key, "order 7");

    assertThat(claim.get().key().id()).isEqualTo(key);
    assertThat(claim.get().fencingToken()).isPositive();
  }

  @Test
  void ofManyCallsAtOnceOneChargesAndTheOthersGetItsReceiptOrAreToldToComeAgain() throws Exception {
    int callers = 24;
    CountDownLatch ready = new CountDownLatch(callers);
    ConcurrentLinkedQueue<String> receipts = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Status.Code> refusals = new ConcurrentLinkedQueue<>();
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Channel to = i % 2 == 0 ? channel : otherChannel;
      calls.add(
          CompletableFuture.runAsync(
              () -> {
                ready.countDown();
                try {
                  assertThat(ready.await(30, TimeUnit.SECONDS)).isTrue();
                  receipts.add(pay(to, key, "order 7"));
                } catch (StatusRuntimeException e) {
                  refusals.add(e.getStatus().getCode());
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              },
              threads));
    }
    CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    threads.shutdown();

    assertThat(charges).hasValue(1);
    assertThat(receipts).isNotEmpty().containsOnly("receipt of order 7, number 1");
    assertThat(refusals).allMatch(Status.Code.ABORTED::equals);
    assertThat(pay(channel, key, "order 7")).isEqualTo("receipt of order 7, number 1");
  }

  @Test
  void aKeyThatIsUsedForAnotherRequestIsRefused() {
    pay(channel, key, "order 7");

    assertThat(refusal(key, "order 8")).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(charges).hasValue(1);
  }

  @Test
  void aCallWithoutAKeyIsRefused() {
    assertThat(refusal("", "order 7")).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(charges).hasValue(0);
  }

  @Test
  void aCallThatFailedRunsWhenItIsSentAgain() {
    charge =
        order -> {
          throw Status.UNAVAILABLE.withDescription("gateway down").asRuntimeException();
        };
    assertThat(refusal(key, "order 7")).isEqualTo(Status.Code.UNAVAILABLE);
    charge = order -> "receipt of " + order;

    assertThat(pay(channel, key, "order 7")).isEqualTo("receipt of order 7, number 1");
  }

  private Status.Code refusal(String withKey, String order) {
    AtomicReference<Status.Code> code = new AtomicReference<>();
    assertThatThrownBy(() -> pay(channel, withKey, order))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> code.set(e.getStatus().getCode()));
    return code.get();
  }
}
