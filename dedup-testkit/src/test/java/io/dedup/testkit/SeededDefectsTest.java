// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.FaultDefects.FaultDefect;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract notices each defect, in the section that is about it; one that nobody notices fails
 * here.
 */
class SeededDefectsTest {

  static Stream<Defect> defects() {
    return Stream.concat(rules(), besideTheRules());
  }

  private static Stream<Defect> rules() {
    return Stream.of(ClaimDefects.all(), SettleDefects.all(), ColdDefects.all())
        .flatMap(List::stream);
  }

  private static Stream<Defect> besideTheRules() {
    return Stream.of(KeyDefects.all(), BatchDefects.all(), ContentDefects.all(), StoreDefects.all())
        .flatMap(List::stream);
  }

  /** What lies beside the rules needs other keys, contents or threads than histories have. */
  static Stream<Defect> defectsThatHistoriesCatch() {
    return rules().filter(defect -> !defect.says().equals(ClaimDefects.TOO_LONG_FOR_HISTORIES));
  }

  static Stream<FaultDefect> defectsOfClients() {
    return FaultDefects.all().stream();
  }

  @ParameterizedTest(name = "a store that {0}")
  @MethodSource("defects")
  void theContractCatches(Defect defect, TestReporter reporter) {
    ContractRun run = ContractRun.of(defect, defect.section());
    assertThat(run.failures())
        .as("tests of %s that fail for a store that %s", defect.section(), defect)
        .isNotEmpty();
    reporter.publishEntry("caught by", defect.section() + "." + run.failures().get(0));
  }

  @ParameterizedTest(name = "a store that {0}")
  @MethodSource("defectsThatHistoriesCatch")
  void randomHistoriesCatchDefectsOfTheRulesWithoutKnowingThem(Defect defect) {
    assertThat(ContractRun.of(defect, "RandomHistories").failures()).isNotEmpty();
  }

  @ParameterizedTest(name = "a store that {0}")
  @MethodSource("defectsOfClients")
  void theContractOfFaultsCatches(FaultDefect defect, TestReporter reporter) {
    ContractRun run = ContractRun.of(defect);
    assertThat(run.failures()).isNotEmpty();
    reporter.publishEntry("caught by", run.failures().get(0));
  }

  @Test
  void everyDefectIsNamedOnceAndForASectionThatExists() {
    assertThat(defects()).extracting(Defect::says).doesNotHaveDuplicates();
    assertThat(defects()).extracting(Defect::section).isSubsetOf(sections());
  }

  @Test
  void theStoreWithoutADefectPassesTheSameRun() {
    for (String section : sections()) {
      Defect none = new Defect("has none", section, t -> InMemoryClaimStore.create(t, 100_000));
      ContractRun run = ContractRun.of(none, section);
      assertThat(run.failures()).isEmpty();
      assertThat(run.tests()).as("tests of %s", section).isPositive();
    }
  }

  private static List<String> sections() {
    return Arrays.stream(ClaimStoreContract.class.getDeclaredClasses())
        .filter(section -> section.isAnnotationPresent(Nested.class))
        .map(Class::getSimpleName)
        .toList();
  }
}
