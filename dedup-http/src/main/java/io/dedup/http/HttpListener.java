// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * Is told how each guarded request was treated. What it throws is logged and otherwise ignored; it
 * must be quick and thread-safe.
 */
@FunctionalInterface
public interface HttpListener {

  /**
   * A request was treated.
   *
   * @param operation a name of limited variety: of the annotation, or method and route pattern
   * @param outcome how
   */
  void treated(String operation, RequestOutcome outcome);
}
