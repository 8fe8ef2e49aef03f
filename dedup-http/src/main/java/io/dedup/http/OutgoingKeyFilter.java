// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Sends a key with each request of a {@code WebClient} that is marked as an {@link OutgoingCall}.
 * Mark it with the handler's context where it is sent from another thread. Thread-safe.
 *
 * @param keys to whom
 */
public record OutgoingKeyFilter(OutgoingKeys keys) implements ExchangeFilterFunction {

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    String key =
        keys.keyFor(
            request.method().name(),
            request.url(),
            request.headers().containsHeader(keys.header()),
            OutgoingCall.of(request.attributes()));
    return next.exchange(
        key == null ? request : ClientRequest.from(request).header(keys.header(), key).build());
  }
}
