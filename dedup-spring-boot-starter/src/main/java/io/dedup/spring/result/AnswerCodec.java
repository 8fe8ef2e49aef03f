// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.result;

import io.dedup.ResultCodec;
import io.dedup.ResultUnavailable;
import io.dedup.claim.StoredResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells an answer that was null from one that was not kept: the first is replayed, the second is
 * refused, since null might not be what the first call answered.
 *
 * @param inner keeps answers that are not null
 */
public record AnswerCodec<T>(ResultCodec<T> inner) implements ResultCodec<T> {

  private static final String CONTENT_TYPE = "application/vnd.dedup.null";
  private static final StoredResult NULL = new StoredResult(CONTENT_TYPE, new byte[0]);

  @Override
  public StoredResult encode(@Nullable T value) {
    return value == null
        ? NULL
        : Objects.requireNonNull(inner.encode(value), "what a codec keeps of an answer");
  }

  /**
   * Returns the answer.
   *
   * @throws ResultUnavailable if none was kept: it could not be, or the key was completed by an
   *     operator, or for a caller who asked for none
   */
  @Override
  public @Nullable T decode(@Nullable StoredResult stored) {
    if (stored == null) {
      throw new ResultUnavailable("result: was not kept, and the effect is done");
    }
    return stored.contentType().equals(CONTENT_TYPE) ? null : inner.decode(stored);
  }
}
