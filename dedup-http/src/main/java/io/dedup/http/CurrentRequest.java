// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The request that this thread handles. */
final class CurrentRequest {

  private CurrentRequest() {}

  /** Returns what its handler may know of its claim, null if it has none. */
  static @Nullable DedupContext context() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? IdempotentRequests.context(request.getRequest())
        : null;
  }
}
