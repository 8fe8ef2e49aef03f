// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCountTest {

  private static final String MARK = "2026-01-02T03:04:05Z";
  private static final FileTime BEGUN = FileTime.from(Instant.parse(MARK));

  @TempDir private Path root;

  @Test
  void addsUpTheModulesOfThisBuild() throws IOException {
    report(module("a", MARK), "OneTest", 3, 0, 0);
    report(module("b/c", MARK), "TwoTest", 4, 0, 0);

    List<ModuleTests> modules = ModuleTests.ofBuild(root, MARK);

    assertThat(TestCount.total(modules)).isEqualTo("7 passed, 0 failed, 0 skipped");
    assertThat(modules).allSatisfy(m -> assertThat(m.complaints()).isEmpty());
  }

  @Test
  void complainsAboutASkippedTest() throws IOException {
    report(module("a", MARK), "OneTest", 3, 0, 1);

    List<ModuleTests> modules = ModuleTests.ofBuild(root, MARK);

    assertThat(TestCount.total(modules)).isEqualTo("2 passed, 0 failed, 1 skipped");
    assertThat(modules.get(0).complaints()).containsExactly("a: OneTest: 0 failed, 1 skipped");
  }

  @Test
  void complainsAboutAFailedTest() throws IOException {
    report(module("a", MARK), "OneTest", 3, 2, 0);

    List<ModuleTests> modules = ModuleTests.ofBuild(root, MARK);

    assertThat(TestCount.total(modules)).isEqualTo("1 passed, 2 failed, 0 skipped");
    assertThat(modules.get(0).complaints()).containsExactly("a: OneTest: 2 failed, 0 skipped");
  }

  @Test
  void complainsAboutAModuleWhoseTestsLeftNoReport() throws IOException {
    module("a", MARK);

    assertThat(ModuleTests.ofBuild(root, MARK).get(0).complaints())
        .containsExactly("a: has test sources, but no test of it ran");
  }

  @Test
  void doesNotCountTheReportOfATestClassThatIsGone() throws IOException {
    Path module = module("a", MARK);
    report(module, "OneTest", 3, 0, 0);
    Files.setLastModifiedTime(
        report(module, "GoneTest", 5, 1, 1), FileTime.from(BEGUN.toInstant().minusSeconds(1)));

    assertThat(TestCount.total(ModuleTests.ofBuild(root, MARK)))
        .isEqualTo("3 passed, 0 failed, 0 skipped");
  }

  @Test
  void leavesOutWhatIsNotOfThisBuild() throws IOException {
    report(module("a", "2025-12-31T00:00:00Z"), "OneTest", 3, 0, 1);

    assertThat(ModuleTests.ofBuild(root, MARK)).isEmpty();
  }

  private Path module(String name, String mark) throws IOException {
    Path module = root.resolve(name);
    Files.createDirectories(module.resolve("target/surefire-reports"));
    Files.createDirectories(module.resolve("src/test/java"));
    Files.writeString(module.resolve("src/test/java/OneTest.java"), "class OneTest {}\n");
    Files.writeString(module.resolve("pom.xml"), "<project/>\n");
    Path file = Files.writeString(module.resolve("target/this-build"), mark + "\n");
    Files.setLastModifiedTime(file, BEGUN);
    return module;
  }

  private static Path report(Path module, String name, int tests, int failures, int skipped)
      throws IOException {
    return Files.writeString(
        module.resolve("target/surefire-reports/TEST-" + name + ".xml"),
        "<testsuite name='%s' tests='%d' errors='0' failures='%d' skipped='%d'/>\n"
            .formatted(name, tests, failures, skipped));
  }
}
