// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/**
 * Turns what an effect answers into what a store keeps, and back. Implementations are thread-safe.
 *
 * @param <T> what the effect answers
 */
public interface ResultCodec<T> {

  /**
   * Returns what to keep of {@code value}, null to keep nothing.
   *
   * <p>What it throws cannot undo an effect that is done: under a lease the key is completed
   * without a result. In a transaction it rolls back, as if the handler had thrown it.
   */
  @Nullable StoredResult encode(@Nullable T value);

  /**
   * Returns the value that was kept; {@code stored} is null if nothing was.
   *
   * <p>What it throws is the cause of a {@link io.dedup.claim.StoreCorrupt}: the effect is done,
   * and its answer cannot be told. A {@link io.dedup.claim.StoreException} of its own, from a place
   * where results are kept, is handed on as it is.
   */
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
