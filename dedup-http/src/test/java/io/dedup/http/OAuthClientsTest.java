// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;

class OAuthClientsTest {

  private static String client(Object principal) {
    return OAuthClients.of(new TestingAuthenticationToken(principal, null));
  }

  private static ClaimAccessor token(Map<String, Object> claims) {
    return () -> claims;
  }

  @Test
  void the_client_is_the_authorized_party_else_the_client_id() {
    assertThat(client(token(Map.of("azp", "app", "client_id", "other")))).isEqualTo("app");
    assertThat(client(token(Map.of("client_id", "app")))).isEqualTo("app");
    assertThat(
            client(
                new DefaultOAuth2AuthenticatedPrincipal(
                    Map.of("sub", "alice", "client_id", "app"), List.of())))
        .isEqualTo("app");
  }

  @Test
  void who_has_no_token_or_none_with_a_client_has_no_client() {
    assertThat(client("alice")).isNull();
    assertThat(client(token(Map.of("sub", "alice")))).isNull();
    assertThat(client(token(Map.of("azp", " ")))).isNull();
    assertThat(OAuthClients.of(() -> "alice")).isNull();
  }
}
