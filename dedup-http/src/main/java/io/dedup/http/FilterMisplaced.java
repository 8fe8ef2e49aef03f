// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * The filter is in front of Spring Security's, where every caller is anonymous. Thrown when a
 * WebFlux application starts.
 */
public final class FilterMisplaced extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  FilterMisplaced(int order) {
    super(
        "filter-order: was "
            + order
            + ", must be above that of Spring Security's WebFilterChainProxy");
  }
}
