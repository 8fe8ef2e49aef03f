// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import org.jspecify.annotations.Nullable;

/**
 * A real server that tests talk to. Thread-safe.
 *
 * <p>A server from {@link Servers} is shared by all test classes of a JVM, or was running before:
 * it refuses to be stopped, killed or restarted, and closing it does nothing. A test that does such
 * things starts a server of its own, for example with {@link RedisServer#start}.
 */
public abstract sealed class TestServer implements AutoCloseable
    permits RedisServer, RedisCluster, RedisSentinel, PostgresServer, MariaDbServer, KafkaServer {

  private final Node node;
  private volatile @Nullable String lentBecause;

  TestServer(Node node) {
    this.node = node;
  }

  /** The address that clients connect to; of a group, that of its first member. */
  public final String host() {
    return node.host();
  }

  /** The port that clients connect to; of a group, that of its first member. */
  public final int port() {
    return node.port();
  }

  /**
   * Ends the server in good order and keeps its data. Returns when its processes are gone.
   *
   * @throws UnsupportedOperationException if the server is not this test's own
   */
  public final void stop() {
    mustBeOwn();
    node.stop();
  }

  /**
   * Ends the server by SIGKILL and keeps its data. Returns when its processes are gone.
   *
   * @throws UnsupportedOperationException if the server is not this test's own
   */
  public final void kill() {
    mustBeOwn();
    node.kill();
  }

  /**
   * Starts the server again on the same port and data, after stopping it if it runs. Returns when
   * it answers clients.
   *
   * @throws UnsupportedOperationException if the server is not this test's own
   */
  public final void restart() {
    mustBeOwn();
    node.restart();
  }

  /** Ends the server and removes its data; does nothing to a server that is not this test's own. */
  @Override
  public final void close() {
    if (lentBecause == null) {
      end();
    }
  }

  /** Marks the server as one that no test may end. */
  void lend(String because) {
    lentBecause = because;
  }

  /** Closes the server, lent or not. */
  void end() {
    node.close();
  }

  /** Whether it goes on running when we end, and so keeps what tests leave in it. */
  boolean outlivesUs() {
    return node instanceof BorrowedNode;
  }

  final void mustBeOwn() {
    if (lentBecause != null) {
      throw new UnsupportedOperationException(
          "this server may not be stopped, killed or restarted because it "
              + lentBecause
              + "; start one for this test alone with "
              + getClass().getSimpleName()
              + ".start()");
    }
  }
}
