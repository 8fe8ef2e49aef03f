// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The folders of the testkit, all below one folder per user in {@code java.io.tmpdir}. */
final class Folders {

  private Folders() {}

  /**
   * The folder of this user. Everybody may write to a temporary directory, so a folder of that name
   * that somebody else made is refused.
   */
  static Path home() throws IOException {
    String user = System.getProperty("user.name", "unknown").replaceAll("[^A-Za-z0-9._-]", "_");
    Path home = Path.of(System.getProperty("java.io.tmpdir"), "dedup-testkit-" + user);
    make(home);
    Path probe = Files.createTempFile(home, "probe", null);
    try {
      if (!Files.getOwner(home, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(probe))
          || Files.isSymbolicLink(home)) {
        throw new IOException(home + ": must belong to the user who runs the tests; remove it");
      }
    } finally {
      Files.deleteIfExists(probe);
    }
    return home.toRealPath();
  }

  /** Makes a folder that others may pass through but not read, if it is not there yet. */
  static Path make(Path folder) throws IOException {
    return make(folder, "rwx--x--x");
  }

  /** Makes a folder for this user only, if it is not there yet. */
  static Path makePrivate(Path folder) throws IOException {
    return make(folder, "rwx------");
  }

  private static Path make(Path folder, String permissions) throws IOException {
    try {
      Files.createDirectory(folder);
      if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
        // not at creation: there the umask would still take from them
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
      }
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
    }
    return folder;
  }

  /** Deletes a folder and what is in it; what vanishes meanwhile is as good as deleted. */
  static void delete(Path folder) throws IOException {
    if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            if (e != null && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
