// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.Arrays;
import java.util.Objects;

/**
 * What a completed effect answered, as a store keeps it.
 *
 * @param contentType how to read the bytes; an ASCII text of at most {@value #CONTENT_TYPE_MAX}
 *     characters
 * @param bytes the answer itself, or a reference to it; not changed by anybody afterwards
 */
public record StoredResult(String contentType, byte[] bytes) {

  /** The longest content type, in characters. */
  public static final int CONTENT_TYPE_MAX = 128;

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException if the content type is too long or not ASCII
   */
  public StoredResult {
    Objects.requireNonNull(bytes, "bytes");
    if (contentType.length() > CONTENT_TYPE_MAX) {
      throw new IllegalArgumentException(
          "contentType: was "
              + contentType.length()
              + " characters, must be at most "
              + CONTENT_TYPE_MAX);
    }
    if (contentType.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException("contentType: must be printable ASCII");
    }
  }

  /**
   * Returns the bytes, if they are of a content type. A codec reads what it wrote and nothing else:
   * another's bytes, a reference to a result above all, are not the answer.
   *
   * @throws IllegalArgumentException if they are of another
   */
  public byte[] bytesOf(String wanted) {
    if (!contentType.equals(wanted)) {
      throw new IllegalArgumentException("contentType: was " + contentType + ", must be " + wanted);
    }
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredResult that
        && contentType.equals(that.contentType)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * contentType.hashCode() + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "StoredResult[" + contentType + ", " + bytes.length + " bytes]";
  }
}
