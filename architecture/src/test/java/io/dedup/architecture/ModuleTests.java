// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one module's tests came to in this build.
 *
 * @param name the module's folder, relative to the root
 * @param hasTests whether it has test sources
 * @param suites one for each report that this build wrote
 */
record ModuleTests(String name, boolean hasTests, List<SuiteReport> suites) {

  private static final String MARK = "target/this-build";

  /** Modules lie at most this deep below the root. */
  private static final int DEPTH = 3;

  /**
   * Finds the modules of this build: those that bear its mark. Others were left out of it, and what
   * lies in their folders is from another day.
   */
  static List<ModuleTests> ofBuild(Path root, String mark) throws IOException {
    List<ModuleTests> modules = new ArrayList<>();
    try (Stream<Path> poms = Files.find(root, DEPTH, (p, a) -> p.endsWith("pom.xml"))) {
      for (Path module : poms.map(Path::getParent).sorted().toList()) {
        Path file = module.resolve(MARK);
        if (Files.exists(file) && Files.readString(file).strip().equals(mark)) {
          modules.add(read(root, module, Files.getLastModifiedTime(file)));
        }
      }
    }
    return modules.stream().filter(m -> m.hasTests() || !m.suites().isEmpty()).toList();
  }

  private static ModuleTests read(Path root, Path module, FileTime begun) throws IOException {
    List<SuiteReport> suites = new ArrayList<>();
    for (Path report : files(module.resolve("target/surefire-reports"), "TEST-", ".xml")) {
      // Older reports are of test classes that are gone.
      if (Files.getLastModifiedTime(report).compareTo(begun) >= 0) {
        suites.add(SuiteReport.read(report));
      }
    }
    boolean hasTests = !files(module.resolve("src/test/java"), "", ".java").isEmpty();
    return new ModuleTests(root.relativize(module).toString(), hasTests, List.copyOf(suites));
  }

  private static List<Path> files(Path folder, String prefix, String suffix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> isNamed(f, prefix, suffix)).sorted().toList();
    }
  }

  private static boolean isNamed(Path file, String prefix, String suffix) {
    String name = file.getFileName().toString();
    return name.startsWith(prefix) && name.endsWith(suffix) && !name.equals("package-info.java");
  }

  int tests() {
    return suites.stream().mapToInt(SuiteReport::tests).sum();
  }

  int failed() {
    return suites.stream().mapToInt(SuiteReport::failed).sum();
  }

  int skipped() {
    return suites.stream().mapToInt(SuiteReport::skipped).sum();
  }

  /** Why the build must fail; empty if it need not. */
  List<String> complaints() {
    if (tests() == 0) {
      return List.of(name + ": has test sources, but no test of it ran");
    }
    return suites.stream()
        .filter(s -> s.failed() + s.skipped() > 0)
        .map(
            s -> "%s: %s: %d failed, %d skipped".formatted(name, s.name(), s.failed(), s.skipped()))
        .toList();
  }
}
