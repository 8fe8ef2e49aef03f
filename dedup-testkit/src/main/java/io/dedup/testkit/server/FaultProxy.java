// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy on the loopback address that misbehaves on demand, for tests of what a client does
 * then. At first it passes everything through. Thread-safe.
 *
 * <p>{@link #refuse}, {@link #cutReplies} and {@link #stall} replace each other; latency goes with
 * any of them.
 */
public final class FaultProxy implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FaultProxy.class);
  private static final Duration CONNECT_TIME_OUT = Duration.ofSeconds(5);

  private final String targetHost;
  private final int targetPort;
  private final ServerSocket listener;
  private final Faults faults = new Faults();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

  private FaultProxy(int port, String targetHost, int targetPort) {
    this.targetHost = targetHost;
    this.targetPort = targetPort;
    try {
      listener = new ServerSocket(port, 0, Ports.loopback());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread acceptor = new Thread(this::accept, "fault-proxy-" + listener.getLocalPort());
    acceptor.setDaemon(true);
    acceptor.start();
  }

  /** A proxy before a server that need not run yet. */
  public static FaultProxy before(String host, int port) {
    return on(0, host, port);
  }

  /** A proxy before a server. */
  public static FaultProxy before(TestServer server) {
    return before(server.host(), server.port());
  }

  /** A proxy on a given port; 0 stands for any that is free. */
  static FaultProxy on(int ownPort, String host, int port) {
    return new FaultProxy(ownPort, host, port);
  }

  /** The address that clients connect to. */
  public String host() {
    return Ports.LOOPBACK;
  }

  /** The port that clients connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Where clients connect to, as {@code host:port}. */
  public String address() {
    return host() + ":" + port();
  }

  String targetHost() {
    return targetHost;
  }

  int targetPort() {
    return targetPort;
  }

  /** Cuts all connections, and each new one as soon as it is made. */
  public void refuse() {
    faults.become(Faults.Mode.REFUSE);
    connections.forEach(ProxiedConnection::cut);
  }

  /** Lets requests through and cuts a connection before any reply reaches the client. */
  public void cutReplies() {
    faults.become(Faults.Mode.CUT_REPLIES);
  }

  /** Does once, to the next reply of any connection, what {@link #cutReplies} does to all. */
  public void dropNextReply() {
    faults.dropNextReply();
  }

  /** Accepts connections and bytes but delivers none, either way, until {@link #heal}. */
  public void stall() {
    faults.become(Faults.Mode.STALL);
  }

  /** Delivers each byte no sooner than so long after it came, in each direction and in order. */
  public void latency(Duration eachWay) {
    if (eachWay.isNegative()) {
      throw new IllegalArgumentException("latency: was " + eachWay + ", must be >= PT0S");
    }
    faults.latency(eachWay);
  }

  /** Passes everything through again, what was held back included. */
  public void heal() {
    faults.heal();
  }

  /** Cuts all connections and stops listening. */
  @Override
  public void close() {
    faults.become(Faults.Mode.REFUSE);
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      connections.forEach(ProxiedConnection::cut);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        log.debug("a connection could not be served", e); // or the proxy was closed
      }
    }
  }

  private void serve(Socket client) throws IOException {
    client.setSoLinger(true, 0); // cut means reset, not a polite end
    if (faults.refuse()) {
      client.close();
      return;
    }
    client.setTcpNoDelay(true);
    Socket server = new Socket();
    try {
      server.setTcpNoDelay(true);
      server.connect(
          new InetSocketAddress(targetHost, targetPort), (int) CONNECT_TIME_OUT.toMillis());
    } catch (IOException e) {
      client.close();
      throw e;
    }
    ProxiedConnection connection =
        new ProxiedConnection(client, server, faults, connections::remove);
    connections.add(connection);
    connection.open();
    if (faults.refuse()) {
      connection.cut(); // refuse() may have come before it could see this one
    }
  }
}
