// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.jspecify.annotations.Nullable;

/**
 * Makes the answer to a repeated request whose first response was not kept: for instance reads the
 * order that was created. Thread-safe.
 */
@FunctionalInterface
public interface OnReplay {

  /**
   * Returns the answer, null to let the client be told that it was completed.
   *
   * <p>It is called for callers whose key it is, and before the handler: what else may have changed
   * since, such as who may see the result, is its business.
   */
  @Nullable Rebuilt rebuild(Completed request);

  /**
   * A request that was completed before.
   *
   * @param method of the request
   * @param path of the request
   * @param originalStatus of the first response, null if that is not known
   * @param location that the first response named, null if none
   */
  record Completed(
      String method, String path, @Nullable Integer originalStatus, @Nullable String location) {}

  /**
   * The answer to send.
   *
   * @param status of the response
   * @param contentType of the body
   * @param body the bytes
   */
  record Rebuilt(int status, String contentType, byte[] body) {}
}
