// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Limits of stored responses.
 *
 * @param maxBody the largest body that is stored, in bytes; a response with a larger one is sent,
 *     and not replayed
 * @param headers the headers that are stored
 */
public record ResponseLimits(int maxBody, List<String> headers) {
  /** What is one caller's own, is made by others, or is made anew. */
  private static final Set<String> NEVER =
      new TreeSet<>(
          Set.of(
              "set-cookie",
              "set-cookie2",
              "authorization",
              "www-authenticate",
              "proxy-authenticate",
              "content-length",
              "transfer-encoding",
              "connection",
              "date"));

  /** Checks both parts. */
  public ResponseLimits {
    Refused.unlessPositive("response.max-body", maxBody);
    headers = List.copyOf(headers);
    for (String name : headers) {
      Refused.unlessHeaderName("response.headers", name);
      if (NEVER.contains(name.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "response.headers: was " + name + ", must be none of " + NEVER);
      }
    }
  }

  static ResponseLimits defaults() {
    return new ResponseLimits(
        256 << 10,
        List.of(
            "Content-Type",
            "Content-Language",
            "Content-Location",
            "Location",
            "ETag",
            "Last-Modified",
            "Link"));
  }
}
