// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.FaultDefects.FaultDefect;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * One run of a section of the contract, apart from the build's own, which ends with the first
 * failure.
 */
final class ContractRun implements TestExecutionListener {

  private static final LauncherConfig ALONE =
      LauncherConfig.builder()
          .enableTestExecutionListenerAutoRegistration(false)
          .enableLauncherSessionListenerAutoRegistration(false)
          .build();

  private final CancellationToken firstFailure = CancellationToken.create();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private volatile int tests;

  private ContractRun() {}

  static ContractRun of(Defect defect, String section) {
    OfADefect.current = defect;
    String sectionClass = ClaimStoreContract.class.getName() + "$" + section;
    return of(selectNestedClass(List.of(OfADefect.class.getName()), sectionClass));
  }

  static ContractRun of(FaultDefect defect) {
    OfAFaultDefect.current = defect;
    return of(selectClass(OfAFaultDefect.class));
  }

  private static ContractRun of(DiscoverySelector section) {
    LauncherDiscoveryRequest discovery =
        LauncherDiscoveryRequestBuilder.request().selectors(section).build();
    ContractRun run = new ContractRun();
    LauncherFactory.create(ALONE)
        .execute(
            LauncherExecutionRequestBuilder.request(discovery)
                .listeners(run)
                .cancellationToken(run.firstFailure)
                .build());
    return run;
  }

  /** The tests that failed: none, or the first. */
  List<String> failures() {
    return failures;
  }

  /** How many tests ran. */
  int tests() {
    return tests;
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      tests++;
    }
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      failures.add(test.getDisplayName());
      firstFailure.cancel();
    }
  }

  /**
   * The contract for the defect of the moment. Nested, so that the build does not run it by itself.
   */
  static class OfADefect extends ClaimStoreContract {

    private static volatile Defect current;

    @Override
    protected ClaimStore createStore(StoreTime time) {
      return Objects.requireNonNull(current, "no defect").stores().apply(time);
    }

    @Override
    protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
      if (store instanceof RememberingStore remembering) {
        return remembering.anotherProcess();
      }
      return store instanceof UnsharedStore ? new UnsharedStore(time) : store;
    }
  }

  /** The contract of faults for the defect of the moment. */
  static class OfAFaultDefect extends NetworkedStoreTest {

    private static volatile FaultDefect current;

    @Override
    protected ClaimStore createStore(StoreTime time) {
      return createStore(time, Objects.requireNonNull(current, "no defect").stores());
    }

    @Override
    protected Duration patience() {
      return Duration.ofSeconds(2);
    }
  }
}
