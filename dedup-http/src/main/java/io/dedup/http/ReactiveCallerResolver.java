// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says whose request it is, in a WebFlux application. Must not block. Thread-safe. */
@FunctionalInterface
public interface ReactiveCallerResolver {

  /**
   * Returns whose it is, for the scope that its operation has.
   *
   * @return never empty; a caller without an id is anonymous
   */
  Mono<Caller> callerOf(ServerWebExchange exchange, KeyScope scope);
}
