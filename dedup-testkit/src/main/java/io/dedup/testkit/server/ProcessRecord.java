// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * What is written down about a started process, so that a later run can tell it from another
 * process that got the same number.
 */
record ProcessRecord(String kind, long pid, Instant started, Path executable) {

  // The operating system counts in ticks since it booted, and the time of booting is a whole second
  // that can come out one off.
  private static final Duration CLOCK_GRAIN = Duration.ofSeconds(2);

  static ProcessRecord of(String kind, ProcessHandle process, Path executable) {
    Instant started = process.info().startInstant().orElse(Instant.EPOCH);
    return new ProcessRecord(kind, process.pid(), started, executable);
  }

  void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("kind", kind);
    properties.setProperty("pid", Long.toString(pid));
    properties.setProperty("started", started.toString());
    properties.setProperty("executable", executable.toString());
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try (Writer writer = Files.newBufferedWriter(draft)) {
      properties.store(writer, null);
    }
    Files.move(draft, file);
  }

  /** Empty for a file that is not such a record. */
  static Optional<ProcessRecord> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return Optional.of(
          new ProcessRecord(
              properties.getProperty("kind", ""),
              Long.parseLong(properties.getProperty("pid", "")),
              Instant.parse(properties.getProperty("started", "")),
              Path.of(properties.getProperty("executable", ""))));
    } catch (IllegalArgumentException | java.time.format.DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** The process, if it still runs and is the one that was written down: number, start and file. */
  Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isTheOne);
  }

  private boolean isTheOne(ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    boolean sameStart =
        info.startInstant()
            .map(at -> Duration.between(at, started).abs().compareTo(CLOCK_GRAIN) <= 0)
            .orElse(false);
    return sameStart && info.command().map(executable.toString()::equals).orElse(false);
  }
}
