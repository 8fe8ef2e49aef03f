// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** Bytes as they are. */
enum BytesCodec implements ResultCodec<byte[]> {
  INSTANCE;

  @Override
  public @Nullable StoredResult encode(byte @Nullable [] value) {
    return value == null ? null : new StoredResult("application/octet-stream", value);
  }

  @Override
  public byte @Nullable [] decode(@Nullable StoredResult stored) {
    return stored == null ? null : stored.bytes();
  }
}
