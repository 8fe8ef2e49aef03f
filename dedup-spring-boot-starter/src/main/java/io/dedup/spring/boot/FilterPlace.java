// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import jakarta.servlet.Filter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;

/**
 * Knows whether our filter is behind Spring Security's. Before it every caller would be anonymous,
 * and would be shown the stored answers of all others.
 */
final class FilterPlace {

  private static final String SECURITY = "springSecurityFilterChain";

  private FilterPlace() {}

  /** Returns whether the application has Spring Security's filter. */
  static boolean hasSecurity(ListableBeanFactory beans) {
    return beans.containsBean(SECURITY) && beans.isTypeMatch(SECURITY, Filter.class);
  }

  /**
   * Looks at the order in which Boot registers filters.
   *
   * @throws ConfigurationRefused if ours is not behind Spring Security's
   */
  static void check(ListableBeanFactory beans) {
    AbstractFilterRegistrationBean<?> ours = null;
    for (ServletContextInitializer initializer : new ServletContextInitializerBeans(beans)) {
      if (initializer instanceof AbstractFilterRegistrationBean<?> filter) {
        if (DedupHttpAutoConfiguration.FILTER.equals(filter.getFilterName())) {
          ours = filter;
        } else if (ours != null && SECURITY.equals(filter.getFilterName())) {
          throw refusal(ours.getOrder(), filter.getOrder());
        }
      }
    }
  }

  private static ConfigurationRefused refusal(int ours, int security) {
    return new ConfigurationRefused(
        "dedup.http.filter-order: was "
            + ours
            + ", must be above that of "
            + SECURITY
            + ", which is "
            + security
            + ".",
        "Set dedup.http.filter-order higher, or spring.security.filter.order lower: before Spring"
            + " Security every caller is anonymous.",
        null);
  }
}
