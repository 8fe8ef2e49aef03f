// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.security.Principal;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Names callers by their principals, on every stack. Thread-safe. */
final class KnownCaller {

  private KnownCaller() {}

  /**
   * Returns a caller.
   *
   * @param principal who sent the request, null for nobody who is known
   * @param tenant asked for where it counts
   * @param clients knows the OAuth client that a principal uses, null for none
   */
  static Caller of(
      KeyScope scope,
      @Nullable Principal principal,
      Supplier<String> tenant,
      Function<Principal, @Nullable String> clients) {
    return switch (scope) {
      case PRINCIPAL ->
          new Caller("principal", principal == null ? null : principal.getName(), tenant.get());
      case CLIENT ->
          new Caller("client", principal == null ? null : clients.apply(principal), tenant.get());
      case TENANT -> {
        String own = tenant.get();
        yield new Caller("tenant", own.isEmpty() ? null : own, own);
      }
      case GLOBAL -> new Caller("everybody", "", "");
    };
  }

  /** Returns what knows OAuth clients, where Spring Security's classes for them are there. */
  static Function<Principal, @Nullable String> clients() {
    boolean tokens =
        ClassUtils.isPresent(
            "org.springframework.security.oauth2.core.ClaimAccessor",
            KnownCaller.class.getClassLoader());
    return tokens ? principal -> OAuthClients.of(principal) : principal -> null;
  }
}
