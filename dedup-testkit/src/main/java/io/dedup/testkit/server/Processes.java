// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Ending processes for good, and running commands that end by themselves. */
final class Processes {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Processes() {}

  /** Kills a process with all that it started; returns when they are gone. */
  static void kill(ProcessHandle process) {
    // Asked first: the children of a dead process are nobody's, and they hold its port and files.
    List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(Processes::awaitEnd);
  }

  /** Waits until a process has ended, and no longer than {@link #PATIENCE}. */
  static void awaitEnd(ProcessHandle process) {
    long from = System.nanoTime();
    while (runs(process)) {
      if (System.nanoTime() - from > PATIENCE.toNanos()) {
        throw new IllegalStateException(
            "process " + process.pid() + " has not ended in " + PATIENCE);
      }
      lookAway(process);
    }
  }

  private static void lookAway(ProcessHandle process) {
    try {
      process.onExit().completeOnTimeout(process, 10, TimeUnit.MILLISECONDS).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while process " + process.pid() + " ended", e);
    }
  }

  // A process without an executable has ended. It is still listed where nobody asks for its exit
  // status, for example in a container whose first process is no init.
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /**
   * Runs a command to its end.
   *
   * @throws IllegalStateException with the end of what it printed, if it fails or takes too long
   */
  static void run(List<String> command, Path folder, Path log) throws IOException {
    Process process = builder(command, folder, log).start();
    boolean ended = false;
    try {
      ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!ended) {
        kill(process.toHandle());
      }
    }
    if (!ended || process.exitValue() != 0) {
      throw new IllegalStateException(
          String.join(" ", command)
              + (ended ? " failed: " : " has not ended in " + PATIENCE + ": ")
              + tail(log));
    }
  }

  /** A builder for a process that reads nothing and writes to {@code log}, in English. */
  static ProcessBuilder builder(List<String> command, Path folder, Path log) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(nothing()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  /** The end of a log, for an error message. */
  static String tail(Path log) throws IOException {
    String text = read(log);
    return text.substring(Math.max(0, text.length() - 4_000)).strip();
  }

  static String read(Path log) throws IOException {
    return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
  }

  private static File nothing() {
    return new File(System.getProperty("os.name", "").startsWith("Windows") ? "NUL" : "/dev/null");
  }
}
