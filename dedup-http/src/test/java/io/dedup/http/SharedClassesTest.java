// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an adapter for another stack than servlets can use knows nothing of servlets. */
class SharedClassesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        AdvisedHandlers.class,
        Answer.class,
        AnswerFields.class,
        Body.class,
        CachedExchange.class,
        Caller.class,
        CanonicalJson.class,
        ClientKey.class,
        CollectedResponse.class,
        DerivedKey.class,
        Gate.class,
        HttpOptions.class,
        IdempotentRequest.class,
        KeyReader.class,
        KnownCaller.class,
        Operation.class,
        OperationReader.class,
        Operations.class,
        OutcomeAnswers.class,
        OutgoingCall.class,
        OutgoingKeyFilter.class,
        Prepared.class,
        PreparedKeys.class,
        Problem.class,
        ReactiveAdmission.class,
        ReactiveAdvisor.class,
        ReactiveAnswers.class,
        ReactiveCallerResolver.class,
        ReactiveContextResolver.class,
        ReactiveEnd.class,
        ReactiveFilter.class,
        ReactiveFilterPlace.class,
        ReactiveFingerprint.class,
        ReactiveGuard.class,
        ReactiveIdempotentRequests.class,
        ReactivePreparation.class,
        ReactiveRequestsBuilder.class,
        ReactiveState.class,
        ReactiveTokenRoutes.class,
        RequestExpression.class,
        RequestFingerprint.class,
        RequestKey.class,
        RequestParts.class,
        RequestValues.class,
        ResponsePolicy.class,
        ResultRules.class,
        Settler.class,
        SignedTokens.class,
        StartCheck.class,
        StartReport.class,
        StoredResponse.class,
        StoredResponseForm.class,
        StoredTokens.class,
        TokenJson.class,
        Told.class,
      })
  void knows_no_servlet(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(code)
          .contains("io/dedup/http")
          .doesNotContain("jakarta/servlet", "springframework/web/servlet");
    }
  }
}
