// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Free ports on the loopback address.
 *
 * <p>They lie below the range that systems give to outgoing connections (from 32768 on Linux): a
 * server that is down for a moment would else lose its port to any client that connects to
 * anything, and a client that reconnects to it could even connect to itself. A Redis Cluster node
 * also listens on its port + {@value #CLUSTER_BUS}, so that port is free and below the range, too.
 */
final class Ports {

  static final String LOOPBACK = "127.0.0.1";
  static final int CLUSTER_BUS = 10_000;

  private static final int LOWEST = 10_500;
  private static final int HIGHEST = 22_500;
  private static final int TRIES = 1_000;
  private static final int STARTS = 5;

  private Ports() {}

  /** Starts something on {@code count} free ports; with others if one was lost meanwhile. */
  static <T> T start(int count, Function<List<Integer>, T> starter) {
    return start(() -> free(count), starter);
  }

  static <T> T start(Supplier<List<Integer>> ports, Function<List<Integer>, T> starter) {
    for (int started = 1; ; started++) {
      try {
        return starter.apply(ports.get());
      } catch (PortTakenException e) {
        if (started == STARTS) {
          throw e;
        }
      }
    }
  }

  private static List<Integer> free(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int tries = 0; ports.size() < count; tries++) {
      if (tries == TRIES) {
        throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
      }
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (!ports.contains(port) && isFree(port) && isFree(port + CLUSTER_BUS)) {
        ports.add(port);
      }
    }
    return Collections.unmodifiableList(ports);
  }

  /** {@link #LOOPBACK}; the system's own choice of a loopback address may be that of IPv6. */
  static InetAddress loopback() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // four bytes are an address
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // connections that linger in TIME_WAIT do not count
      socket.bind(new InetSocketAddress(loopback(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
