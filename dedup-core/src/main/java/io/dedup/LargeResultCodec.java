// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dedup.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/**
 * Keeps small results as they are, and of large ones a reference or a note. Which of them a record
 * has is told by its content type; records from before it was used are read, too.
 */
record LargeResultCodec<T>(ResultCodec<T> inner, LargeResults settings) implements ResultCodec<T> {

  /** The content types of ours, which no other codec may use. */
  static final String OURS = "application/vnd.dedup.result-";

  static final String REFERENCE = OURS + "reference";
  static final String NOT_KEPT = OURS + "not-kept";

  @Override
  public @Nullable StoredResult encode(@Nullable T value) {
    StoredResult result = inner.encode(value);
    if (result == null) {
      return null;
    }
    if (result.contentType().startsWith(OURS)) {
      throw new IllegalArgumentException(
          "contentType: was " + result.contentType() + ", must not begin with " + OURS);
    }
    int bytes = result.bytes().length;
    if (bytes <= settings.limitBytes()) {
      return result;
    }
    ResultStore store = settings.store();
    if (store != null && bytes <= store.maxBytes()) {
      return note(REFERENCE, store.put(result, settings.ttl()));
    }
    return settings.otherwise() == OnLargeResult.KEEP_NOTHING
        ? null
        : note(NOT_KEPT, Integer.toString(bytes));
  }

  @Override
  public @Nullable T decode(@Nullable StoredResult stored) {
    if (stored == null || !stored.contentType().startsWith(OURS)) {
      return inner.decode(stored);
    }
    String note = new String(stored.bytes(), US_ASCII);
    return switch (stored.contentType()) {
      case REFERENCE -> inner.decode(found(note));
      case NOT_KEPT ->
          throw new ResultUnavailable("result: was " + note + " bytes, too large to be kept");
      default -> throw new IllegalArgumentException("contentType: was " + stored.contentType());
    };
  }

  private StoredResult found(String reference) {
    ResultStore store = settings.store();
    if (store == null) {
      throw new ResultUnavailable("result: is kept elsewhere, and no store of results is set");
    }
    StoredResult found =
        store
            .find(reference)
            .orElseThrow(() -> new ResultUnavailable("result: was kept elsewhere, and is gone"));
    if (settings.slide()) {
      store.extend(reference, settings.ttl());
    }
    return found;
  }

  private static StoredResult note(String contentType, String text) {
    return new StoredResult(contentType, text.getBytes(US_ASCII));
  }
}
