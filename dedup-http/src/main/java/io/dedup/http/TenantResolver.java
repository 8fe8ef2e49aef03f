// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;

/** Says which tenant a request belongs to. Thread-safe. */
@FunctionalInterface
public interface TenantResolver {

  /** Returns the tenant; empty for none. */
  String tenantOf(HttpServletRequest request);
}
