// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How one kind of server is prepared, launched and asked whether it is ready. */
interface Recipe {

  /** One word for messages and file names, for example {@code redis}. */
  String kind();

  /** The file that the launched process runs; a process left behind is known by it. */
  Path executable();

  /** Fills a new, empty data directory: configuration and, where needed, system tables. */
  void prepare(Path data, int port) throws IOException;

  List<String> command(Path data);

  default Map<String, String> environment() {
    return Map.of();
  }

  /** Whether this very process, not another that took the port, answers its clients. */
  boolean ready(Launched launched) throws IOException;

  /** Asks the process to end in good order. */
  default void askToStop(Launched launched) {
    launched.process().destroy();
  }

  /** Ends a process whose data is not needed any more. */
  default void discard(Launched launched) {
    launched.process().destroyForcibly();
  }

  /** A process, where it listens and where it writes. */
  record Launched(Process process, int port, Path data, Path log) {}
}
