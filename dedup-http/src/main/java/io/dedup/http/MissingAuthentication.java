// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.springframework.security.authentication.InsufficientAuthenticationException;

/** What Spring Security answers with the way to authenticate. Needs its classes. */
final class MissingAuthentication {

  private MissingAuthentication() {}

  static RuntimeException exception() {
    return new InsufficientAuthenticationException("an idempotency key needs a known caller");
  }
}
