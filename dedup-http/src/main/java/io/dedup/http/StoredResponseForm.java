// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.ResultCodec;
import io.dedup.claim.StoredResult;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes in which a response is stored, big-endian: version (1 byte), kind (1), status (2),
 * message, count of headers (2), name and value of each, and the rest is the body. A text is its
 * length in bytes (4, or -1 for none) and UTF-8.
 *
 * <p>A version that a running process does not know is refused and never guessed at: while a new
 * one is rolled out, readers have to come before writers. Thread-safe.
 */
enum StoredResponseForm implements ResultCodec<StoredResponse> {
  INSTANCE;

  static final String CONTENT_TYPE = "application/vnd.dedup.http-response";

  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + 1 + 2;

  @Override
  public @Nullable StoredResult encode(@Nullable StoredResponse response) {
    if (response == null) {
      return null;
    }
    byte[] message = utf8(response.message());
    List<byte[]> texts = new ArrayList<>();
    for (StoredResponse.Field field : response.headers()) {
      texts.add(utf8(field.name()));
      texts.add(utf8(field.value()));
    }
    int size = HEAD_BYTES + 4 + message.length + 2 + response.body().length;
    for (byte[] text : texts) {
      size += 4 + text.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put(VERSION).put((byte) response.kind().code()).putShort((short) response.status());
    out.putInt(response.message() == null ? -1 : message.length).put(message);
    out.putShort((short) response.headers().size());
    texts.forEach(text -> out.putInt(text.length).put(text));
    out.put(response.body());
    return new StoredResult(CONTENT_TYPE, out.array());
  }

  /**
   * Reads what was stored.
   *
   * @throws IllegalArgumentException if it is none of ours, or of a version that is not known here
   */
  @Override
  public @Nullable StoredResponse decode(@Nullable StoredResult stored) {
    if (stored == null) {
      return null;
    }
    if (!stored.contentType().equals(CONTENT_TYPE)) {
      throw new IllegalArgumentException(
          "content type: was " + stored.contentType() + ", must be " + CONTENT_TYPE);
    }
    try {
      return read(ByteBuffer.wrap(stored.bytes()));
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new IllegalArgumentException("stored response: is cut off", e);
    }
  }

  private static StoredResponse read(ByteBuffer in) {
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "stored response: was version " + version + ", must be " + VERSION);
    }
    StoredResponse.Kind kind = StoredResponse.Kind.of(in.get());
    int status = in.getShort();
    String message = text(in);
    int count = in.getShort() & 0xffff;
    List<StoredResponse.Field> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      headers.add(new StoredResponse.Field(present(text(in)), present(text(in))));
    }
    byte[] body = new byte[in.remaining()];
    in.get(body);
    return new StoredResponse(kind, status, message, headers, body);
  }

  private static @Nullable String text(ByteBuffer in) {
    int length = in.getInt();
    if (length == -1) {
      return null;
    }
    if (length > in.remaining()) {
      throw new IllegalArgumentException("stored response: is cut off");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String present(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static byte[] utf8(@Nullable String text) {
    return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
  }
}
