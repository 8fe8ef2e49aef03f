// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused configuration without a stack trace. */
final class ConfigurationRefusedAnalyzer extends AbstractFailureAnalyzer<ConfigurationRefused> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationRefused cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), rootFailure);
  }
}
