// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/**
 * Turns what an effect answers into what a store keeps, and back.
 *
 * @param <T> what the effect answers
 */
public interface ResultCodec<T> {

  /** Returns what to keep of {@code value}, null to keep nothing. */
  @Nullable StoredResult encode(@Nullable T value);

  /** Returns the value that was kept; {@code stored} is null if nothing was. */
  @Nullable T decode(@Nullable StoredResult stored);

  /**
   * Returns the codec that keeps nothing: a duplicate learns that the effect is done, and no more.
   */
  static <T> ResultCodec<T> none() {
    return new ResultCodec<>() {
      @Override
      public @Nullable StoredResult encode(@Nullable T value) {
        return null;
      }

      @Override
      public @Nullable T decode(@Nullable StoredResult stored) {
        return null;
      }
    };
  }

  /** Returns the codec of bytes as they are. */
  static ResultCodec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }

  /** Returns the codec of text, in UTF-8. */
  static ResultCodec<String> text() {
    return TextCodec.INSTANCE;
  }
}
