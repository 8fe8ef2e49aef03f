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
    return KnownCaller.of(
        scope, request.getUserPrincipal(), () -> tenants.tenantOf(request), clients);
  }
}
