// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says which tenant a request to a WebFlux application belongs to. Thread-safe. */
@FunctionalInterface
public interface ReactiveTenantResolver {

  /** Returns the tenant; empty text for none. Must not block. */
  Mono<String> tenantOf(ServerWebExchange exchange);
}
