// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreTime;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Answers numbered calls, over the loopback address, from a store in memory. */
final class CallServer implements AutoCloseable {

  private static final int REPLY = 1;

  private final ServerSocket listener;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Call<?>> calls = new ConcurrentHashMap<>();
  private volatile ClaimStore store = InMemoryClaimStore.create();

  CallServer() {
    try {
      listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** Begins anew, with a store that judges by {@code time}. */
  ClaimStore restart(StoreTime time) {
    store = InMemoryClaimStore.create(time, 100_000);
    return store;
  }

  ClaimStore store() {
    return store;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Returns the number under which a client may ask for this call. */
  long register(Call<?> call) {
    long number = numbers.incrementAndGet();
    calls.put(number, call);
    return number;
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket connection = listener.accept();
      start(() -> serve(connection));
    }
  }

  private void serve(Socket connection) throws IOException {
    try (connection) {
      DataInputStream in = new DataInputStream(connection.getInputStream());
      DataOutputStream out = new DataOutputStream(connection.getOutputStream());
      while (true) {
        long number = in.readLong();
        calls.remove(number).answerBy(store);
        out.writeByte(REPLY);
      }
    }
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The connection, or the listener, was closed: its thread has done its work.
              }
            },
            "call-server");
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

  private interface Work {
    void run() throws IOException;
  }

  /**
   * A call, kept in this JVM while its number travels.
   *
   * @param <T> the kind of answer
   */
  static final class Call<T> {
    private final Function<ClaimStore, T> question;
    private volatile T answer;

    Call(Function<ClaimStore, T> question) {
      this.question = question;
    }

    private void answerBy(ClaimStore store) {
      answer = question.apply(store);
    }

    T answer() {
      return answer;
    }
  }
}
