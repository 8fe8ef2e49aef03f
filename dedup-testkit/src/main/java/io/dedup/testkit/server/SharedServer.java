// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that is started once, by the first who wants it, and ended with the JVM. One that failed
 * to start is not tried again: each class would wait for it anew. Thread-safe.
 */
final class SharedServer<T extends TestServer> {

  private final Supplier<T> starter;
  private @Nullable T server;
  private @Nullable RuntimeException failure;

  private SharedServer(Supplier<T> starter) {
    this.starter = starter;
  }

  /** A server started as a process of ours. */
  static <T extends TestServer> SharedServer<T> of(Supplier<T> starter) {
    return new SharedServer<>(starter);
  }

  /** The same, but a container where containers are wanted. */
  SharedServer<T> orContainer(Image image, Function<String, T> container) {
    return new SharedServer<>(() -> image.wanted().map(container).orElseGet(starter));
  }

  /** The same, but one that runs already where a system property names it. */
  SharedServer<T> orRunning(String property, Function<String, T> running) {
    return new SharedServer<>(
        () -> {
          String place = System.getProperty(property);
          return place == null ? starter.get() : running.apply(place);
        });
  }

  synchronized T get() {
    if (failure != null) {
      throw new IllegalStateException("the shared server has failed to start before", failure);
    }
    if (server == null) {
      try {
        server = start();
      } catch (RuntimeException e) {
        failure = e;
        throw e;
      }
    }
    return server;
  }

  private T start() {
    T started = starter.get();
    started.lend("is shared by all test classes of this JVM");
    Workspace.current().atExit(started::end);
    return started;
  }
}
