// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Sends a key with each request of a {@code WebClient} that is marked as an {@link OutgoingCall}.
 * In a WebFlux application the handler's claim is found in the reactive context; elsewhere mark the
 * request with the handler's context where it is sent from another thread. Thread-safe.
 *
 * @param keys to whom
 */
public record OutgoingKeyFilter(OutgoingKeys keys) implements ExchangeFilterFunction {

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    return Mono.deferContextual(
        context -> {
          OutgoingCall call = OutgoingCall.of(request.attributes());
          ReactiveState state = context.getOrDefault(ReactiveState.class, null);
          if (call != null && call.context() == null && state != null) {
            // Without a claim there is nothing to derive a key from, whatever this thread does.
            call = state.context().hasBegun() ? call.under(state.context()) : null;
          }
          String key =
              keys.keyFor(
                  request.method().name(),
                  request.url(),
                  request.headers().containsHeader(keys.header()),
                  call);
          return next.exchange(
              key == null
                  ? request
                  : ClientRequest.from(request).header(keys.header(), key).build());
        });
  }
}
