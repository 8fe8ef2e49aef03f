// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.testkit.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** A proxy on the loopback address that passes everything on, and counts by a meter. */
final class CountingProxy implements AutoCloseable {

  private static final int CHUNK_BYTES = 64 * 1024;

  private final TestServer target;
  private final Supplier<Meter> meters;
  private final ServerSocket listener;
  private final Queue<Meter> opened = new ConcurrentLinkedQueue<>();

  private CountingProxy(TestServer target, Supplier<Meter> meters) {
    this.target = target;
    this.meters = meters;
    try {
      this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    background("accept", this::accept);
  }

  static CountingProxy before(TestServer target, Supplier<Meter> meters) {
    return new CountingProxy(target, meters);
  }

  String host() {
    return listener.getInetAddress().getHostAddress();
  }

  int port() {
    return listener.getLocalPort();
  }

  /** What went over all connections so far. */
  Traffic traffic() {
    return opened.stream().map(Meter::traffic).reduce(Traffic.NONE, Traffic::plus);
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket server = new Socket(target.host(), target.port());
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      Meter meter = meters.get();
      opened.add(meter);
      background("requests", () -> relay(client, server, meter::request));
      background("replies", () -> relay(server, client, meter::reply));
    }
  }

  private interface Reading {
    void read(byte[] bytes, int length);
  }

  private static void relay(Socket from, Socket to, Reading reading) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[CHUNK_BYTES];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        reading.read(buffer, length);
        out.write(buffer, 0, length);
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void background(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One side is gone, or the proxy was closed.
              }
            },
            "counting-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
