// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.http.FilterMisplaced;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about a filter in front of Spring Security's. */
final class FilterMisplacedAnalyzer extends AbstractFailureAnalyzer<FilterMisplaced> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, FilterMisplaced cause) {
    return new FailureAnalysis(
        "dedup.http." + cause.getMessage(),
        "Set dedup.http.filter-order higher: before Spring Security every caller is anonymous.",
        rootFailure);
  }
}
