// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

/** One place where a server listens, and what can be done to it. */
interface Node extends AutoCloseable {

  String host();

  int port();

  /** Ends the server as its operator would; it may finish what it does. */
  void stop();

  /** Ends the server as a power cut would (SIGKILL). */
  void kill();

  /** Starts the server again, on the same port and data; a running one is stopped first. */
  void restart();

  /** Ends the server and removes its data. */
  @Override
  void close();
}
