// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection through a proxy. In each direction a thread reads, a bounded queue keeps the order
 * and the time at which bytes came, and a second thread delivers them when they are due.
 */
final class ProxiedConnection {

  private static final Logger log = LoggerFactory.getLogger(ProxiedConnection.class);
  private static final int CHUNK_BYTES = 16 * 1024;
  private static final int QUEUED_CHUNKS = 256;

  private final Socket client;
  private final Socket server;
  private final Faults faults;
  private final Consumer<ProxiedConnection> onEnd;
  private final AtomicInteger open = new AtomicInteger(2);
  private final List<Thread> threads;

  ProxiedConnection(
      Socket client, Socket server, Faults faults, Consumer<ProxiedConnection> onEnd) {
    this.client = client;
    this.server = server;
    this.faults = faults;
    this.onEnd = onEnd;
    this.threads =
        Stream.concat(
                relay(Faults.Direction.REQUESTS, client, server),
                relay(Faults.Direction.REPLIES, server, client))
            .toList();
  }

  /** Bytes and when they came; no bytes mean that no more will come. */
  private record Chunk(byte[] bytes, long cameAtNanos) {}

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private Stream<Thread> relay(Faults.Direction direction, Socket from, Socket to) {
    BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(QUEUED_CHUNKS);
    return Stream.of(
        thread(direction + "-in", () -> read(from, queue)),
        thread(direction + "-out", () -> deliver(direction, queue, to)));
  }

  private Thread thread(String name, Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException | InterruptedException e) {
                cut(); // one side is gone, so is the connection
              }
            },
            "fault-proxy-" + name);
    thread.setDaemon(true);
    return thread;
  }

  void open() {
    threads.forEach(Thread::start);
  }

  private static void read(Socket from, BlockingQueue<Chunk> queue)
      throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[CHUNK_BYTES];
    int length;
    do {
      length = in.read(buffer);
      queue.put(new Chunk(Arrays.copyOf(buffer, Math.max(length, 0)), System.nanoTime()));
    } while (length >= 0);
  }

  private void deliver(Faults.Direction direction, BlockingQueue<Chunk> queue, Socket to)
      throws IOException, InterruptedException {
    OutputStream out = to.getOutputStream();
    while (true) {
      Chunk chunk = queue.take();
      boolean end = chunk.bytes().length == 0;
      if (!faults.awaitDue(chunk.cameAtNanos()) || (!end && !faults.mayPass(direction))) {
        cut();
        return;
      }
      if (end) {
        break;
      }
      out.write(chunk.bytes());
    }
    to.shutdownOutput();
    if (open.decrementAndGet() == 0) {
      cut(); // both sides have said all
    }
  }

  /** Closes both sides; what was not delivered is lost. */
  void cut() {
    onEnd.accept(this);
    close(client);
    close(server);
    threads.forEach(Thread::interrupt);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("a socket did not close in good order", e);
    }
  }
}
