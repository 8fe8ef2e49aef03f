// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.time.ProcessClock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends a request that has a key again, with the same key: after 5xx, after trouble with the
 * connection, and while the first one is in progress. To be added behind {@link
 * OutgoingKeyInterceptor}. Thread-safe.
 *
 * @param keys whose header marks what may be sent again
 * @param maxAttempts how often it is sent at most
 * @param firstPause before it is sent again, then twice as long each time; a longer {@code
 *     Retry-After} wins
 * @param within how long after the first attempt it may still be sent: less than the other side
 *     keeps keys
 * @param clock of the process
 */
public record OutgoingRetry(
    OutgoingKeys keys, int maxAttempts, Duration firstPause, Duration within, ProcessClock clock)
    implements ClientHttpRequestInterceptor {

  /** Checks each part. */
  public OutgoingRetry {
    Refused.unlessPositive("max-attempts", maxAttempts);
    Refused.ifNegative("first-pause", firstPause);
    Refused.ifNegative("within", within);
  }

  /** Returns 4 attempts within a minute, the first pause half a second. */
  public static OutgoingRetry of(OutgoingKeys keys) {
    return new OutgoingRetry(
        keys, 4, Duration.ofMillis(500), Duration.ofMinutes(1), ProcessClock.system());
  }

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    if (!request.getHeaders().containsHeader(keys.header())) {
      return execution.execute(request, body);
    }
    long end = clock.nanoTime() + within.toNanos();
    Duration pause = firstPause;
    for (int attempt = 1; ; attempt++) {
      ClientHttpResponse response = null;
      IOException trouble = null;
      try {
        response = execution.execute(request, body);
      } catch (IOException e) {
        trouble = e;
      }
      Duration wait = longer(pause, advised(response));
      boolean last = attempt >= maxAttempts || clock.nanoTime() + wait.toNanos() - end > 0;
      if (response != null && (last || !isWorthAnother(response))) {
        return response;
      }
      if (trouble != null && last) {
        throw trouble;
      }
      if (response != null) {
        response.close();
      }
      sleep(wait);
      pause = pause.multipliedBy(2);
    }
  }

  /** Never after 422, which says the same again; nor after another 409, which is an answer. */
  private static boolean isWorthAnother(ClientHttpResponse response) throws IOException {
    int status = response.getStatusCode().value();
    String treated = response.getHeaders().getFirst("Idempotency-Status");
    return status >= 500 || (status == 409 && "in-progress".equals(treated));
  }

  private static Duration advised(@Nullable ClientHttpResponse response) {
    String text = response == null ? null : response.getHeaders().getFirst("Retry-After");
    if (text == null || !text.matches("[0-9]{1,9}")) {
      return Duration.ZERO;
    }
    return Duration.ofSeconds(Long.parseLong(text));
  }

  private void sleep(Duration wait) throws InterruptedIOException {
    try {
      clock.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the next attempt");
    }
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}
