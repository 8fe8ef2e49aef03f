// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.ExtractedId;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A header's value and its readings.
 *
 * @param where the header, for people
 * @param bytes without the quotes of a Spring mapper
 * @param mapped whether a Spring mapper wrote it, which writes numbers in decimal notation
 */
record HeaderValue(String where, byte[] bytes, boolean mapped) {

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  ExtractedId as(HeaderType type) {
    return switch (type) {
      case TEXT -> text();
      case LONG -> number(Long.BYTES, Long.MIN_VALUE, Long.MAX_VALUE);
      case INT -> number(Integer.BYTES, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UUID -> uuid();
    };
  }

  ExtractedId untyped() {
    return Ids.bytes(where, bytes);
  }

  private ExtractedId text() {
    String text = Ids.utf8(bytes);
    return text == null ? unreadable("is not UTF-8") : Ids.text(where, text);
  }

  private ExtractedId number(int size, long min, long max) {
    if (mapped) {
      return decimal(min, max);
    }
    if (bytes.length != size) {
      return unreadable("has " + bytes.length + " bytes, must have " + size);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long value = size == Long.BYTES ? buffer.getLong() : buffer.getInt();
    return new ExtractedId.Found(Long.toString(value));
  }

  private ExtractedId decimal(long min, long max) {
    String text = Ids.utf8(bytes);
    try {
      long value = Long.parseLong(String.valueOf(text));
      if (value >= min && value <= max) {
        return new ExtractedId.Found(Long.toString(value));
      }
    } catch (NumberFormatException e) {
      // Falls through to the same answer as a number out of range.
    }
    return unreadable("was mapped by Spring to something else than a number of this type");
  }

  private ExtractedId uuid() {
    if (bytes.length == 16) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new ExtractedId.Found(new UUID(buffer.getLong(), buffer.getLong()).toString());
    }
    String text = Ids.utf8(bytes);
    return text != null && UUID_TEXT.matcher(text).matches()
        ? new ExtractedId.Found(text.toLowerCase(Locale.ROOT))
        : unreadable("is neither 16 bytes nor the 36 characters of a UUID");
  }

  private ExtractedId unreadable(String why) {
    return new ExtractedId.Unreadable(where, why);
  }
}
