// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.ExtractedId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.temporal.TemporalAccessor;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes values of several kinds as ids, such that values of different kinds never give the same
 * id.
 *
 * <p>Text is the id as it is. Everything else begins with a tag that says what it is: {@code
 * number:1}, {@code bytes:ff00}. Text that happens to begin with a tag gets the tag {@code text:},
 * so {@code "number:1"} in quotes becomes {@code text:number:1}.
 */
final class Ids {

  static final String NUMBER = "number:";
  static final String BYTES = "bytes:";
  static final String SHA_256 = "sha256:";
  static final String OFFSET = "offset:";
  private static final String TEXT = "text:";
  private static final List<String> TAGS = List.of(TEXT, NUMBER, BYTES, SHA_256, OFFSET);

  private Ids() {}

  static ExtractedId text(String where, String text) {
    if (text.isEmpty()) {
      return new ExtractedId.Missing(where);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      return new ExtractedId.Unreadable(
          where, "has an unpaired surrogate, must be well-formed Unicode");
    }
    boolean looksTagged = TAGS.stream().anyMatch(text::startsWith);
    return new ExtractedId.Found(looksTagged ? TEXT + text : text);
  }

  /**
   * Bytes that are UTF-8 are the text they stand for; all others keep their value, byte by byte.
   */
  static ExtractedId bytes(String where, byte[] bytes) {
    String text = utf8(bytes);
    return text != null
        ? text(where, text)
        : new ExtractedId.Found(BYTES + HexFormat.of().formatHex(bytes));
  }

  /** Returns the text that the bytes stand for, null if they are not well-formed UTF-8. */
  static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Returns the id of a number by its exact value, however it was written. */
  static ExtractedId number(String where, String lexeme) {
    String decimal = Decimals.canonical(lexeme);
    return decimal != null
        ? new ExtractedId.Found(NUMBER + decimal)
        : new ExtractedId.Unreadable(
            where,
            "is a number that is not finite or takes more than "
                + Decimals.DIGITS_MAX
                + " digits to write");
  }

  /**
   * Returns the id of an object. Only kinds that have one obvious text are read, never an unknown
   * toString().
   */
  static ExtractedId value(String where, @Nullable Object value) {
    if (value == null) {
      return new ExtractedId.Missing(where);
    }
    if (value instanceof CharSequence || value instanceof Character || value instanceof UUID) {
      return text(where, value.toString());
    }
    if (value instanceof Enum<?> constant) {
      return text(where, constant.name());
    }
    if (isNumber(value)) {
      return number(where, value.toString());
    }
    byte[] bytes = bytesOf(value);
    if (bytes != null) {
      return bytes(where, bytes);
    }
    if (value instanceof TemporalAccessor && value.getClass().getName().startsWith("java.time.")) {
      return text(where, value.toString());
    }
    return new ExtractedId.Unreadable(
        where, "is a " + value.getClass().getName() + ", must be text, a number, bytes or a UUID");
  }

  /** Returns a copy of the bytes if the object is nothing but bytes, else null. */
  static byte @Nullable [] bytesOf(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    if (value instanceof Bytes bytes) {
      return bytes.get();
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    return null;
  }

  private static boolean isNumber(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte
        || value instanceof Double
        || value instanceof Float
        || value instanceof BigInteger
        || value instanceof BigDecimal;
  }
}
