// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** Text in UTF-8. */
enum TextCodec implements ResultCodec<String> {
  INSTANCE;

  private static final String CONTENT_TYPE = "text/plain;charset=utf-8";

  @Override
  public @Nullable StoredResult encode(@Nullable String value) {
    return value == null ? null : new StoredResult(CONTENT_TYPE, value.getBytes(UTF_8));
  }

  @Override
  public @Nullable String decode(@Nullable StoredResult stored) {
    return stored == null ? null : new String(stored.bytesOf(CONTENT_TYPE), UTF_8);
  }
}
