// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Values as the bytes they were sent as, as far as that can be known. */
final class Payloads {

  private Payloads() {}

  /**
   * Returns the bytes of bytes and of text.
   *
   * @throws UnreadableRecordException if the value is neither: an object no longer has its bytes
   */
  static byte[] raw(String where, Object value) {
    byte[] bytes = Ids.bytesOf(value);
    if (bytes != null) {
      return bytes;
    }
    if (value instanceof String text) {
      return utf8(where, text);
    }
    throw new UnreadableRecordException(
        where,
        "the value is a "
            + value.getClass().getName()
            + ", must be byte[], ByteBuffer, Bytes or String");
  }

  private static byte[] utf8(String where, String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new UnreadableRecordException(
          where, "has an unpaired surrogate, must be well-formed Unicode");
    }
  }
}
