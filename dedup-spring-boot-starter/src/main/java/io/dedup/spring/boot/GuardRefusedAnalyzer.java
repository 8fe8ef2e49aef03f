// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.spring.bean.GuardRefused;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a method that cannot be guarded without a stack trace. */
final class GuardRefusedAnalyzer extends AbstractFailureAnalyzer<GuardRefused> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, GuardRefused cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), rootFailure);
  }
}
