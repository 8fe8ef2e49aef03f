// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder where a JVM keeps the data of its servers and a record of each of their processes.
 * Thread-safe.
 *
 * <p>A JVM that was killed leaves its servers behind; the next one ends them. Whether the owner of
 * a folder is gone is not guessed from process numbers: as long as it lives it holds a lock on a
 * file in there, and the operating system drops that lock with it, however it dies. So builds that
 * run side by side leave each other's servers alone, also in containers that share a temporary
 * directory. A process is ended only if its number, its start and its executable are those that
 * were written down.
 */
final class Workspace {

  private static final Logger log = LoggerFactory.getLogger(Workspace.class);
  private static final String OWNER = "owner";
  private static final String RECORDS = "processes";

  private static @Nullable Workspace current;

  private final Path folder;
  private final AtomicInteger names = new AtomicInteger();
  private final Deque<Runnable> atExit = new ArrayDeque<>();

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // held until the JVM ends, and only held
  private final FileLock ownership;

  private Workspace(Path folder, FileLock ownership) {
    this.folder = folder;
    this.ownership = ownership;
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "dedup-testkit-end"));
  }

  /** The workspace of this JVM. The first call ends what others left behind. */
  static synchronized Workspace current() {
    if (current == null) {
      try {
        Path runs = Folders.make(Folders.home().resolve("runs"));
        sweep(runs);
        current = open(runs);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return current;
  }

  private static Workspace open(Path runs) throws IOException {
    String name = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    // Locked before it gets its name: nobody sees it while it has no owner.
    Path draft = Folders.make(runs.resolve("." + name));
    FileLock lock =
        FileChannel.open(
                draft.resolve(OWNER), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
            .lock();
    Folders.makePrivate(draft.resolve(RECORDS));
    return new Workspace(Files.move(draft, runs.resolve(name)), lock);
  }

  /** Makes a new, empty data directory. */
  Path newData(String kind) throws IOException {
    return Folders.makePrivate(folder.resolve(kind + "-" + names.incrementAndGet()));
  }

  /** Writes down a process; the file it returns is to be deleted when the process has ended. */
  Path write(ProcessRecord process) throws IOException {
    Path file = folder.resolve(RECORDS).resolve(Integer.toString(names.incrementAndGet()));
    process.write(file);
    return file;
  }

  /** Has something done when the JVM ends, before the processes are killed; last in, first out. */
  void atExit(Runnable work) {
    synchronized (atExit) {
      atExit.push(work);
    }
  }

  private void end() {
    synchronized (atExit) {
      atExit.forEach(Workspace::quietly);
    }
    quietly(() -> clear(folder));
  }

  private static void quietly(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.warn("a test server could not be ended, the next run will do it", e);
    }
  }

  /** Ends the servers of owners that are gone, and removes their folders. */
  static void sweep(Path runs) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(runs, "[!.]*")) {
      for (Path run : folders) {
        sweepOne(run);
      }
    }
  }

  private static void sweepOne(Path run) {
    try (FileChannel channel = FileChannel.open(run.resolve(OWNER), StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        clear(run);
      }
    } catch (OverlappingFileLockException e) {
      log.debug("{} is this JVM's own", run);
    } catch (NoSuchFileException e) {
      log.debug("{} is being removed by another run", run);
    } catch (IOException | RuntimeException e) {
      log.warn("servers left behind in {} could not be ended", run, e);
    }
  }

  private static void clear(Path run) {
    try {
      Path records = run.resolve(RECORDS);
      if (Files.isDirectory(records)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records)) {
          for (Path file : files) {
            ProcessRecord.read(file).flatMap(ProcessRecord::find).ifPresent(Processes::kill);
          }
        }
      }
      Folders.delete(run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
