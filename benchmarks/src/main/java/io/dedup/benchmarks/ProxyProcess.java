// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.testkit.server.FaultProxy;
import java.io.IOException;
import java.time.Duration;

/** The testkit's proxies, apart from the process that is measured: what they cost is not its. */
final class ProxyProcess {

  private static final Duration EACH_WAY = Duration.ofNanos(500_000);

  private ProxyProcess() {}

  /**
   * Tells the port of each proxy on a line, and runs until its standard input ends: so it does not
   * outlive who started it.
   *
   * @param arguments host and port of each server
   */
  public static void main(String[] arguments) throws IOException {
    for (int i = 0; i < arguments.length; i += 2) {
      FaultProxy proxy = FaultProxy.before(arguments[i], Integer.parseInt(arguments[i + 1]));
      proxy.latency(EACH_WAY);
      System.out.println(proxy.port());
    }
    while (System.in.read() >= 0) {
      // Nothing is ever sent.
    }
    System.exit(0);
  }
}
