// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts a server before the first test of a class. Register it by a static field:
 *
 * <pre>{@code
 * @RegisterExtension static final ServerExtension<PostgresServer> postgres = Servers.postgres();
 * }</pre>
 *
 * <p>One from {@link Servers} is shared by all classes and ends with the JVM. One from {@link #own}
 * belongs to its class, which may kill and restart it.
 */
public final class ServerExtension<T extends TestServer>
    implements BeforeAllCallback, AfterAllCallback {

  private final Supplier<T> starter;
  private @Nullable T own;
  private @Nullable String startedIn;

  private ServerExtension(Supplier<T> starter) {
    this.starter = starter;
  }

  static <T extends TestServer> ServerExtension<T> shared(Supplier<T> lender) {
    return new ServerExtension<>(lender);
  }

  /** A server for one test class alone, for example {@code own(() -> RedisServer.start())}. */
  public static <T extends TestServer> ServerExtension<T> own(Supplier<T> starter) {
    return new ServerExtension<>(starter);
  }

  /** The running server; the first call starts it. */
  public synchronized T get() {
    if (own == null) {
      own = starter.get();
    }
    return own;
  }

  @Override
  public synchronized void beforeAll(ExtensionContext context) {
    get();
    if (startedIn == null) {
      startedIn = context.getUniqueId();
    }
  }

  // Also called at the end of each nested class.
  @Override
  public synchronized void afterAll(ExtensionContext context) {
    if (own != null && context.getUniqueId().equals(startedIn)) {
      own.close(); // does nothing to a shared one
      own = null;
      startedIn = null;
    }
  }
}
