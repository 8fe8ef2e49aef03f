// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The runner on topics so small that its figures mean nothing: they are there, and exact. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunnerTest {

  private static final String WORKLOAD = "duplicates-20";

  private Path file;
  private Report report;
  private JsonNode json;

  @BeforeAll
  @Timeout(300)
  void run(@TempDir Path folder) throws Exception {
    report = new Runner(Scale.TINY, 1, List.of(WORKLOAD), Set.of()).run(new Unseen());
    file = folder.resolve("report.json");
    report.write(file);
    json = JsonMapper.shared().readTree(Files.readString(file));
  }

  @Test
  void everyContenderDoesEachEffectAsOftenAsItShould() {
    assertThat(report.results())
        .extracting(Result::contender)
        .containsExactlyElementsOf(Contenders.all().names());
    assertThat(report.results())
        .allSatisfy(
            result -> {
              assertThat(result.executed()).as(result.contender()).isEqualTo(result.expected());
              assertThat(result.exact()).as(result.contender()).isTrue();
            });
  }

  @Test
  void theReportHasAllKeysAndNullWhereThereIsNoFigure() {
    assertThat(json.get("results")).isNotEmpty();
    for (JsonNode result : json.get("results")) {
      assertThat(result.propertyNames())
          .contains(
              "contender",
              "workload",
              "recordsPerSecond",
              "ratioToPlain",
              "cpuMicrosPerRecord",
              "roundTripsPerRecord",
              "bytesPerKey",
              "executed",
              "expected");
      assertThat(result.get("workload").asString()).isEqualTo(WORKLOAD);
      assertThat(result.get("recordsPerSecond").asDouble()).isPositive();
      assertThat(result.get("ratioToPlain").asDouble()).isPositive();
      assertThat(result.get("cpuMicrosPerRecord").asDouble()).isNotNegative();
      assertThat(result.get("bytesPerKey").isNull()).isTrue();
    }
  }

  @Test
  void roundTripsAreCountedWhereThereIsAStore() {
    assertThat(report.results())
        .allSatisfy(
            result -> {
              if (Contenders.all().named(result.contender()).onceOnly()) {
                assertThat(result.roundTripsPerRecord()).as(result.contender()).isPositive();
                assertThat(result.statementsPerRecord()).as(result.contender()).isPositive();
              } else {
                assertThat(result.roundTripsPerRecord()).as(result.contender()).isNull();
              }
            });
  }

  @Test
  void aReportThatWasWrittenIsReadAsItWas() throws Exception {
    assertThat(Report.read(file)).isEqualTo(report);
  }

  private static final class Unseen implements Steps {
    @Override
    public void ahead(int steps) {}

    @Override
    public void now(String what) {}

    @Override
    public void done() {}
  }
}
