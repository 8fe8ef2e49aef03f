// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells in one line what is guarded, when an application starts. */
final class StartReport {

  private static final Logger LOG = LoggerFactory.getLogger(StartReport.class);

  private StartReport() {}

  static void tell(Set<String> guarded, HttpOptions options, SecurityPlace place) {
    if (guarded.isEmpty() && options.include().isEmpty()) {
      LOG.info("no handler asks for requests that act once");
      return;
    }
    LOG.info(
        "requests act once by their {}: {}{}, {} Spring Security",
        options.header(),
        guarded,
        options.include().isEmpty() ? "" : " and what is at " + options.include(),
        place == SecurityPlace.BEHIND ? "behind" : "without");
    if (place == SecurityPlace.ABSENT && options.scope() != KeyScope.GLOBAL) {
      LOG.warn("Spring Security was not named: callers that nobody knows share their keys");
    }
  }
}
