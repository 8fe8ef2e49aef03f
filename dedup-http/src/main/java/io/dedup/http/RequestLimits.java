// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * Limits of guarded requests.
 *
 * @param maxBody the largest body, in bytes
 * @param spoolThreshold from how many bytes on a body is kept in a temporary file
 */
public record RequestLimits(int maxBody, int spoolThreshold) {
  /** Checks the limits. */
  public RequestLimits {
    Refused.unlessPositive("request.max-body", maxBody);
    Refused.unlessPositive("request.spool-threshold", spoolThreshold);
  }

  static RequestLimits defaults() {
    return new RequestLimits(1 << 20, 64 << 10);
  }
}
