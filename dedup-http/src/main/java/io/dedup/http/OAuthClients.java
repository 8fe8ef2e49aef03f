// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/** Reads the client's id from a token. Needs Spring Security's OAuth 2 classes. */
final class OAuthClients {

  private OAuthClients() {}

  /** Returns claim {@code azp}, else {@code client_id}; null if there is neither. */
  static @Nullable String of(Principal principal) {
    Object token =
        principal instanceof Authentication authentication
            ? authentication.getPrincipal()
            : principal;
    String azp = claim(token, "azp");
    return azp == null ? claim(token, "client_id") : azp;
  }

  private static @Nullable String claim(@Nullable Object token, String name) {
    Object value = null;
    if (token instanceof ClaimAccessor claims) {
      value = claims.getClaims().get(name);
    } else if (token instanceof OAuth2AuthenticatedPrincipal attributes) {
      value = attributes.getAttribute(name);
    }
    return value instanceof String text && !text.isBlank() ? text : null;
  }
}
