// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Callers as the container, or Spring Security through it, knows them.
 *
 * @param tenants knows tenants
 * @param clients knows the OAuth client that a principal uses, null for none
 */
record KnownCallers(TenantResolver tenants, Function<Principal, @Nullable String> clients)
    implements CallerResolver {

  @Override
  public Caller callerOf(HttpServletRequest request, KeyScope scope) {
    Principal principal = request.getUserPrincipal();
    return switch (scope) {
      case PRINCIPAL ->
          new Caller(
              "principal",
              principal == null ? null : principal.getName(),
              tenants.tenantOf(request));
      case CLIENT ->
          new Caller(
              "client",
              principal == null ? null : clients.apply(principal),
              tenants.tenantOf(request));
      case TENANT -> {
        String tenant = tenants.tenantOf(request);
        yield new Caller("tenant", tenant.isEmpty() ? null : tenant, tenant);
      }
      case GLOBAL -> new Caller("everybody", "", "");
    };
  }
}
