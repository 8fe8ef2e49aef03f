// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The stores at a distance: behind proxies in a process of their own, if they are not near. */
final class Place implements AutoCloseable {

  private final Stores stores;
  private final @Nullable Process proxies;

  private Place(Stores stores, @Nullable Process proxies) {
    this.stores = stores;
    this.proxies = proxies;
  }

  static Place at(ReadingWorkload.Distance distance, Backends backends) {
    return distance == ReadingWorkload.Distance.NEAR
        ? new Place(backends.stores(), null)
        : far(backends);
  }

  private static Place far(Backends backends) {
    try {
      Process process =
          new ProcessBuilder(
                  List.of(
                      ProcessHandle.current().info().command().orElse("java"),
                      "-Xmx128m",
                      "-XX:+UseSerialGC",
                      "-XX:TieredStopAtLevel=1",
                      "-cp",
                      System.getProperty("java.class.path"),
                      ProxyProcess.class.getName(),
                      backends.redis().host(),
                      Integer.toString(backends.redis().port()),
                      backends.postgres().host(),
                      Integer.toString(backends.postgres().port())))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      int redis = port(out);
      int postgres = port(out);
      return new Place(
          new Stores("redis://127.0.0.1:" + redis, backends.jdbc("127.0.0.1", postgres)), process);
    } catch (IOException e) {
      throw new UncheckedIOException("the proxies cannot be started", e);
    }
  }

  private static int port(BufferedReader out) throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the proxies have ended");
    }
    return Integer.parseInt(line);
  }

  Stores stores() {
    return stores;
  }

  /** The standard input of the process ends, and so does it. */
  @Override
  public void close() {
    if (proxies == null) {
      return;
    }
    try {
      proxies.getOutputStream().close();
      if (!proxies.waitFor(10, TimeUnit.SECONDS)) {
        proxies.destroyForcibly();
      }
    } catch (IOException e) {
      proxies.destroyForcibly();
    } catch (InterruptedException e) {
      proxies.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
