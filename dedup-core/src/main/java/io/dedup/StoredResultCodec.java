// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** Hands on what is stored as it is. */
enum StoredResultCodec implements ResultCodec<StoredResult> {
  INSTANCE;

  @Override
  public @Nullable StoredResult encode(@Nullable StoredResult value) {
    return value;
  }

  @Override
  public @Nullable StoredResult decode(@Nullable StoredResult stored) {
    return stored;
  }
}
