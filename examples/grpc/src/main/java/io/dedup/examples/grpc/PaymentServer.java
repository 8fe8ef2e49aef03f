// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.grpc;

import io.dedup.Deduplicator;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The service behind the interceptor, on a port of loopback. Thread-safe. */
final class PaymentServer implements AutoCloseable {

  private final Server server;

  private PaymentServer(Server server) {
    this.server = server;
  }

  /**
   * Starts a server on a free port.
   *
   * @param charge the effect
   * @throws IOException if it cannot listen
   */
  static PaymentServer start(Deduplicator deduplicator, UnaryOperator<String> charge)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new PaymentServer(
        NettyServerBuilder.forAddress(address)
            .addService(Payments.service(charge))
            .intercept(new IdempotencyInterceptor(deduplicator))
            .build()
            .start());
  }

  /** Returns the port. */
  int port() {
    return server.getPort();
  }

  /** Ends calls, and then the server. */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(10, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
