// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.http.HandlerRefused;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the handler that cannot be guarded as it is. */
final class HandlerRefusedAnalyzer extends AbstractFailureAnalyzer<HandlerRefused> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, HandlerRefused cause) {
    return new FailureAnalysis(
        "A handler cannot be guarded: " + cause.getMessage(),
        "Change its @IdempotentRequest, or the handler, as the description says.",
        rootFailure);
  }
}
