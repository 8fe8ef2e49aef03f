// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one module's tests came to in this build.
 *
 * @param name the module's folder, relative to the root
 * @param events what became of them; nothing if none ran
 */
record ModuleTests(String name, TestEvents events) {

  private static final String MARK = "target/this-build";
  private static final String REPORT = "target/test-events/open-test-report.xml";

  /** Modules lie at most this deep below the root. */
  private static final int DEPTH = 3;

  /**
   * Finds the modules of this build that have tests: those that bear its mark. Others were left out
   * of it, and what lies in their folders is from another day.
   */
  static List<ModuleTests> ofBuild(Path root, String mark) throws IOException {
    List<ModuleTests> modules = new ArrayList<>();
    try (Stream<Path> poms = Files.find(root, DEPTH, (p, a) -> p.endsWith("pom.xml"))) {
      for (Path module : poms.map(Path::getParent).sorted().toList()) {
        if (isOfBuild(module, mark) && hasTests(module)) {
          modules.add(new ModuleTests(root.relativize(module).toString(), events(module)));
        }
      }
    }
    return List.copyOf(modules);
  }

  /** Why the build must fail; empty if it need not. */
  List<String> complaints() {
    if (events.passed() + events.failed().size() + events.skipped().size() == 0) {
      return List.of(name + ": has test sources, but no test of it ran");
    }
    return Stream.concat(
            events.failed().stream().map(id -> name + ": failed: " + id),
            events.skipped().stream().map(id -> name + ": skipped: " + id))
        .toList();
  }

  private static boolean isOfBuild(Path module, String mark) throws IOException {
    Path file = module.resolve(MARK);
    return Files.exists(file) && Files.readString(file).strip().equals(mark);
  }

  private static TestEvents events(Path module) throws IOException {
    Path report = module.resolve(REPORT);
    Path mark = module.resolve(MARK);
    // An older report is of an earlier build, whose tests are not this build's.
    boolean isOfBuild =
        Files.exists(report)
            && Files.getLastModifiedTime(report).compareTo(Files.getLastModifiedTime(mark)) >= 0;
    return isOfBuild ? TestEvents.read(report) : TestEvents.none();
  }

  private static boolean hasTests(Path module) throws IOException {
    Path sources = module.resolve("src/test/java");
    if (!Files.isDirectory(sources)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files.anyMatch(
          f -> f.toString().endsWith(".java") && !f.endsWith("package-info.java"));
    }
  }
}
