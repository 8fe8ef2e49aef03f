// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** Bytes as they are. */
enum BytesCodec implements ResultCodec<byte[]> {
  INSTANCE;

  private static final String CONTENT_TYPE = "application/octet-stream";

  @Override
  public @Nullable StoredResult encode(byte @Nullable [] value) {
    return value == null ? null : new StoredResult(CONTENT_TYPE, value);
  }

  @Override
  public byte @Nullable [] decode(@Nullable StoredResult stored) {
    return stored == null ? null : stored.bytesOf(CONTENT_TYPE);
  }
}
