// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends a key with each request of a {@code RestClient} or {@code RestTemplate} that is marked as
 * an {@link OutgoingCall}. Thread-safe.
 *
 * @param keys to whom
 */
public record OutgoingKeyInterceptor(OutgoingKeys keys) implements ClientHttpRequestInterceptor {

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    String key =
        keys.keyFor(
            request.getMethod().name(),
            request.getURI(),
            request.getHeaders().containsHeader(keys.header()),
            OutgoingCall.of(request.getAttributes()));
    if (key != null) {
      request.getHeaders().set(keys.header(), key);
    }
    return execution.execute(request, body);
  }
}
