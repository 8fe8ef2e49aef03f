// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.ClaimStoreContract;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract in the compact layout: it keeps all of it but what is named here. */
class RedisCompactContractTest {

  /** Also in docs/redis-layouts.md, with the reasons. */
  private static final Set<String> GIVEN_UP =
      Set.of(
          // The fingerprint is not kept, so another message is not noticed.
          "anotherMessageWithADoneKeyIsAConflict",
          "anotherMessageMayUseAKeyThatFailed",
          // The claim id is not kept, so what is sent again after the completion is fenced, and a
          // late copy of the claim meets what is done.
          "aClaimIdWorksOnce",
          "aClaimMayBeSettledThroughEither",
          "aCompletionSentAgainLongAfterDoesNotMoveItsExpiry",
          // Nor can a result follow.
          "aResultMayFollowTheCompletion",
          "anAttachedResultComesBackByteByByte",
          "anAttachedResultSentAgainIsThereOnce",
          "noResultIsNotAnEmptyOne",
          "ofTwoCopiesOfOneClaimTheLaterOneStays",
          "oneOfManyResultsIsAttached",
          // The origin is not kept, so the record that was done first may be forced, too.
          "aForcedClaimSentAgainIsForcedOnce",
          "aForcedRecordRunsOnce",
          "aKeyThatRemembersAllTheOriginsItCanIsNotForcedAgain",
          "claimIdsOriginsAndForcedOriginsKeepAllTheirBits",
          "forcedOriginsAreRememberedThroughCrashesFailuresAndReleases",
          "forcedOriginsNeverExceedTheirLimitAlsoIfTwoAreAddedAtOnce",
          // What is reopened does not remember them either.
          "aKeyIsFoundAgainByEveryVerb",
          "whatIsReopenedMayBeUsedByAnotherMessage",
          // What has expired counts as done until its page is dropped.
          "expiredRecordsAreNotCountedAsLive",
          // Random histories meet all of this.
          "theStoreAnswersAndKeepsWhatTheStoreInMemoryDoes");

  private static final int TESTS_MIN = 400;

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private static LettuceConnectionFactory lettuce;

  @BeforeAll
  static void connect() {
    lettuce = Factories.lettuce(Factories.standalone(redis.get().host(), redis.get().port()));
  }

  @AfterAll
  static void disconnect() {
    lettuce.destroy();
  }

  @Test
  void whatIsGivenUpIsThisAndNothingElse() {
    Failures failures = new Failures();
    LauncherDiscoveryRequest contract =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Compact.class)).build();
    LauncherFactory.create(
            LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build())
        .execute(contract, failures);

    assertThat(failures.tests).isGreaterThan(TESTS_MIN);
    assertThat(failures.methods).containsExactlyInAnyOrderElementsOf(GIVEN_UP);
  }

  /** Collects the names of the methods that failed. */
  private static final class Failures implements TestExecutionListener {
    private final Set<String> methods = new ConcurrentSkipListSet<>();
    private int tests;

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
      tests += test.isTest() ? 1 : 0;
      if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
        methods.add(
            test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse(test.getDisplayName()));
      }
    }
  }

  /** Nested, so that the build does not run it by itself. */
  static class Compact extends ClaimStoreContract {

    @Override
    protected ClaimStore createStore(StoreTime time) {
      return FilledIn.of(store(time));
    }

    @Override
    protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
      return ((FilledIn) store).another(store(time));
    }

    private static RedisClaimStore store(StoreTime time) {
      return RedisClaimStore.builder(lettuce)
          .prefix("compact")
          .layout(RedisLayout.COMPACT)
          .time(time)
          .build();
    }
  }
}
