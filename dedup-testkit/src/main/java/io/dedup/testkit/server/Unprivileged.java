// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs commands that refuse to run as root, for a JVM that does.
 *
 * <p>In a user namespace of its own a process is nobody to itself, and still root to the files of
 * root. Where that is forbidden, as in many containers, it becomes the user nobody, and its files
 * are given to that user.
 */
final class Unprivileged {

  private static final int ROOT = 0;
  private static final int NOBODY = 65_534;
  private static final List<String> NAMESPACE = List.of("unshare", "-U");
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
  private static final List<String> PREFIX = prefix();

  private Unprivileged() {}

  static List<String> command(Stream<String> words) {
    return Stream.concat(PREFIX.stream(), words).toList();
  }

  /** Gives a folder to the user that such commands run as. */
  static void give(Path folder) throws IOException {
    if (PREFIX.equals(AS_NOBODY)) {
      Files.setAttribute(folder, "unix:uid", NOBODY);
    }
  }

  private static List<String> prefix() {
    if (!isRoot()) {
      return List.of();
    }
    return works(NAMESPACE) ? NAMESPACE : AS_NOBODY;
  }

  static boolean isRoot() {
    try {
      return Files.getAttribute(Folders.home(), "unix:uid").equals(ROOT);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // no such thing on this system
    }
  }

  private static boolean works(List<String> prefix) {
    try {
      Process process =
          new ProcessBuilder(Stream.concat(prefix.stream(), Stream.of("true")).toList()).start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
