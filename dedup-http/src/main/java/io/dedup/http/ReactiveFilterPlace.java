// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.web.server.WebFilter;

/**
 * Knows whether our filter is behind Spring Security's. Before it every caller would be anonymous,
 * and would be shown the stored answers of all others.
 */
final class ReactiveFilterPlace {

  private static final String SECURITY =
      "org.springframework.security.web.server.WebFilterChainProxy";

  private ReactiveFilterPlace() {}

  static void check(ListableBeanFactory beans, ReactiveFilter ours) {
    List<WebFilter> filters = beans.getBeanProvider(WebFilter.class).orderedStream().toList();
    int place = filters.indexOf(ours);
    for (int i = 0; i < filters.size(); i++) {
      boolean behindUs = place >= 0 && i > place;
      if (behindUs && filters.get(i).getClass().getName().startsWith(SECURITY)) {
        throw new FilterMisplaced(ours.getOrder());
      }
    }
  }
}
