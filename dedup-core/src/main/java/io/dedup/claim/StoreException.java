// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import org.jspecify.annotations.Nullable;

/**
 * Trouble with a store: whatever was asked has no answer. It is never a duplicate, never a busy
 * key, and never a reason to acknowledge a message.
 */
public sealed class StoreException extends RuntimeException
    permits StoreUnavailable, StoreCorrupt, StoreMisconfigured {

  private static final long serialVersionUID = 1;

  StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
