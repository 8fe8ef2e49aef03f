// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Counts the tests of a build, and fails where one was skipped or where a module has test sources
 * and no test ran. The last module of the build runs it.
 */
final class TestCount {

  private TestCount() {}

  /**
   * Prints a table and, last, {@code N passed, 0 failed, 0 skipped} alone on a line.
   *
   * @param args the root of the checkout, then the mark that this build has left in each module
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("arguments: were " + args.length + ", must be root, mark");
    }
    List<ModuleTests> modules = ModuleTests.ofBuild(Path.of(args[0]), args[1]);
    System.out.println(table(modules));
    List<String> complaints = modules.stream().flatMap(m -> m.complaints().stream()).toList();
    complaints.forEach(System.out::println);
    System.out.println(total(modules));
    if (!complaints.isEmpty() || modules.isEmpty()) {
      System.exit(1);
    }
  }

  private static String table(List<ModuleTests> modules) {
    StringBuilder table = new StringBuilder("%n%-32s %8s".formatted("module", "tests"));
    for (ModuleTests module : modules) {
      table.append("%n%-32s %8d".formatted(module.name(), module.events().passed()));
    }
    return table.append(System.lineSeparator()).toString();
  }

  /** The closing line, in the form that continuous integration reads. */
  static String total(List<ModuleTests> modules) {
    List<TestEvents> events = modules.stream().map(ModuleTests::events).toList();
    return "%d passed, %d failed, %d skipped"
        .formatted(
            events.stream().mapToInt(TestEvents::passed).sum(),
            events.stream().mapToInt(e -> e.failed().size()).sum(),
            events.stream().mapToInt(e -> e.skipped().size()).sum());
  }
}
