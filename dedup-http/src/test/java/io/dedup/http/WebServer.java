// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.ServletContext;
import java.util.function.Consumer;

/** A servlet container on a free port of the loopback address. */
interface WebServer extends AutoCloseable {

  /** How to start one; {@code setup} registers filters and servlets. */
  @FunctionalInterface
  interface Starter {
    WebServer start(Consumer<ServletContext> setup) throws Exception;
  }

  int port();

  @Override
  void close() throws Exception;
}
