// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacked server binaries, kept from run to run in the folder of the user.
 *
 * <p>They lie in a temporary directory, where anything may vanish one day; so the number of files
 * is written down, and what is not complete is unpacked again.
 */
final class Binaries {

  private static final String COUNT = ".files";

  private Binaries() {}

  /** Writes what is in an artefact to an empty folder. */
  interface Unpacker {
    void unpackTo(Path folder) throws IOException;
  }

  /** The folder with the unpacked content of {@code source}, an archive or a file in a jar. */
  static Path unpacked(String name, URL source, Unpacker unpacker) throws IOException {
    Path all = Folders.make(Folders.home().resolve("binaries"));
    String origin = source + " " + source.openConnection().getContentLengthLong();
    UUID key = UUID.nameUUIDFromBytes(origin.getBytes(StandardCharsets.UTF_8));
    Path folder = all.resolve(name + "-" + key);
    if (isComplete(folder)) {
      return folder;
    }
    Path draft = Folders.make(all.resolve("." + name + "-" + UUID.randomUUID()));
    try {
      unpacker.unpackTo(draft);
      Files.writeString(draft.resolve(COUNT), Long.toString(count(draft)));
      return moved(draft, folder);
    } finally {
      Folders.delete(draft);
    }
  }

  private static Path moved(Path draft, Path folder) throws IOException {
    if (!isComplete(folder)) {
      Folders.delete(folder);
      try {
        Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        if (!isComplete(folder)) { // else a build beside us was faster
          throw e;
        }
      }
    }
    return folder;
  }

  private static boolean isComplete(Path folder) throws IOException {
    Path counted = folder.resolve(COUNT);
    return Files.exists(counted)
        && Files.readString(counted).equals(Long.toString(count(folder) - 1));
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.count();
    }
  }

  /** Copies to a new file below a folder; what lies in bin or scripts becomes executable. */
  static void copy(InputStream in, Path folder, Path inside) throws IOException {
    Path target = folder.resolve(inside).normalize();
    Path parent = target.getParent();
    if (parent == null || !parent.startsWith(folder)) {
      throw new IOException("the artefact has an entry outside itself: " + inside);
    }
    Files.createDirectories(parent);
    Files.copy(in, target);
    boolean program = parent.endsWith("bin") || parent.endsWith("scripts");
    if (program && !target.toFile().setExecutable(true, false)) {
      throw new IOException(target + " cannot be made executable");
    }
  }

  /**
   * A class or file of an optional artefact.
   *
   * @throws IllegalStateException naming the artefact that is missing
   */
  static URL resource(String path, String wanting, String artefact) {
    return find(path).orElseThrow(() -> missing(wanting, artefact, null));
  }

  static Optional<URL> find(String path) {
    return Optional.ofNullable(Binaries.class.getClassLoader().getResource(path));
  }

  static IllegalStateException missing(String wanting, String artefact, @Nullable Throwable cause) {
    return new IllegalStateException(
        wanting + " needs " + artefact + " on the test class path", cause);
  }
}
