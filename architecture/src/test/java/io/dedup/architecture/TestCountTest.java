// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    report(module("a", MARK), container("1", "SUCCESSFUL") + test("2", "SUCCESSFUL"));
    report(module("b/c", MARK), test("1", "SUCCESSFUL") + test("2", "SUCCESSFUL"));

    assertThat(count()).isEqualTo("3 passed, 0 failed, 0 skipped");
    assertThat(complaints()).isEmpty();
  }

  @Test
  void complainsAboutASkippedTest() throws IOException {
    report(module("a", MARK), test("1", "SUCCESSFUL") + test("2", "SKIPPED"));

    assertThat(count()).isEqualTo("1 passed, 0 failed, 1 skipped");
    assertThat(complaints()).containsExactly("a: skipped: [test:2]");
  }

  @Test
  void complainsAboutAClassThatGaveUpOnAnAssumption() throws IOException {
    report(module("a", MARK), test("1", "SUCCESSFUL") + container("2", "ABORTED"));

    assertThat(count()).isEqualTo("1 passed, 0 failed, 1 skipped");
    assertThat(complaints()).containsExactly("a: skipped: [container:2]");
  }

  @Test
  void complainsAboutAFailedTest() throws IOException {
    report(module("a", MARK), test("1", "FAILED"));

    assertThat(count()).isEqualTo("0 passed, 1 failed, 0 skipped");
    assertThat(complaints()).containsExactly("a: failed: [test:1]");
  }

  @Test
  void complainsAboutATestThatNeverEnded() throws IOException {
    report(module("a", MARK), started("1", "TEST", "[test:1]"));

    assertThat(complaints()).containsExactly("a: failed: [test:1] never ended");
  }

  @Test
  void complainsAboutAModuleOfWhichNoTestRan() throws IOException {
    module("a", MARK);

    assertThat(complaints()).containsExactly("a: has test sources, but no test of it ran");
  }

  @Test
  void doesNotCountTheReportOfAnEarlierBuild() throws IOException {
    Path report = report(module("a", MARK), test("1", "SUCCESSFUL"));
    Files.setLastModifiedTime(report, FileTime.from(BEGUN.toInstant().minusSeconds(1)));

    assertThat(complaints()).containsExactly("a: has test sources, but no test of it ran");
  }

  @Test
  void leavesOutModulesThatAreNotOfThisBuild() throws IOException {
    report(module("a", "2025-12-31T00:00:00Z"), test("1", "SKIPPED"));

    assertThat(ModuleTests.ofBuild(root, MARK)).isEmpty();
  }

  @Test
  void refusesAReportThatWasCutShort() throws IOException {
    Path report = report(module("a", MARK), test("1", "SUCCESSFUL"));
    Files.writeString(report, Files.readString(report).replace("</events>", ""));

    assertThatThrownBy(this::count)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must be a complete report");
  }

  private String count() throws IOException {
    return TestCount.total(ModuleTests.ofBuild(root, MARK));
  }

  private List<String> complaints() throws IOException {
    return ModuleTests.ofBuild(root, MARK).stream().flatMap(m -> m.complaints().stream()).toList();
  }

  private Path module(String name, String mark) throws IOException {
    Path module = root.resolve(name);
    Files.createDirectories(module.resolve("target/test-events"));
    Files.createDirectories(module.resolve("src/test/java"));
    Files.writeString(module.resolve("src/test/java/OneTest.java"), "class OneTest {}\n");
    Files.writeString(module.resolve("pom.xml"), "<project/>\n");
    Path file = Files.writeString(module.resolve("target/this-build"), mark + "\n");
    Files.setLastModifiedTime(file, BEGUN);
    return module;
  }

  private static Path report(Path module, String events) throws IOException {
    return Files.writeString(
        module.resolve("target/test-events/open-test-report.xml"),
        "<events>" + events + "</events>\n");
  }

  private static String test(String id, String status) {
    return started(id, "TEST", "[test:" + id + "]") + finished(id, status);
  }

  private static String container(String id, String status) {
    return started(id, "CONTAINER", "[container:" + id + "]") + finished(id, status);
  }

  private static String started(String id, String type, String uniqueId) {
    return "<started id='%s'><metadata><uniqueId>%s</uniqueId><type>%s</type></metadata></started>"
        .formatted(id, uniqueId, type);
  }

  private static String finished(String id, String status) {
    return "<finished id='%s'><result status='%s'/></finished>".formatted(id, status);
  }
}
