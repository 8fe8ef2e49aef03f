// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** Where requests come from: through Spring Security, or not. */
enum SecurityPlace {
  /** Its filters have seen each request before us. */
  BEHIND,
  /** There is none. */
  ABSENT;

  /** By this attribute Spring Security's filter says that it is at work on a request. */
  static final String APPLIED = "org.springframework.security.web.FilterChainProxy.APPLIED";
}
