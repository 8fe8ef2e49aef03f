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
        Answer.class,
        Body.class,
        Caller.class,
        CanonicalJson.class,
        ClientKey.class,
        DerivedKey.class,
        Gate.class,
        HttpOptions.class,
        IdempotentRequest.class,
        Operation.class,
        OperationReader.class,
        OutcomeAnswers.class,
        OutgoingCall.class,
        Prepared.class,
        Problem.class,
        RequestExpression.class,
        RequestFingerprint.class,
        RequestKey.class,
        RequestValues.class,
        ResultRules.class,
        SignedTokens.class,
        StoredResponse.class,
        StoredResponseForm.class,
        StoredTokens.class,
        Told.class,
      })
  void knows_no_servlet(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(code).contains("io/dedup/http").doesNotContain("jakarta/servlet");
    }
  }
}
