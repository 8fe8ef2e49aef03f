// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;

/** Says whose request it is. Thread-safe. */
@FunctionalInterface
public interface CallerResolver {

  /**
   * Returns whose it is, for the scope that its operation has.
   *
   * @return never null; a caller without an id is anonymous
   */
  Caller callerOf(HttpServletRequest request, KeyScope scope);
}
