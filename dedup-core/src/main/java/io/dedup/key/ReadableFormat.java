// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Scope and id as text, joined by a slash. Thread-safe. */
enum ReadableFormat implements KeyFormat {
  INSTANCE;

  /**
   * Marks a shortened form. The escape never leaves it bare, so no whole form can look like a
   * shortened one.
   */
  private static final byte SHORTENED = '~';

  private static final int HASH_CHARS = 64;

  @Override
  public byte[] encode(IdempotencyKey key) {
    byte[] prefix = scopePrefix(key.scope());
    byte[] id = escape(key.id());
    byte[] whole = Arrays.copyOf(prefix, prefix.length + id.length);
    System.arraycopy(id, 0, whole, prefix.length, id.length);
    return whole.length <= MAX_BYTES ? whole : shorten(whole);
  }

  @Override
  public byte[] scopePrefix(String scope) {
    byte[] text = escape(scope);
    if (text.length >= MAX_BYTES / 2) {
      text = shorten(text, MAX_BYTES / 2 - 1);
    }
    byte[] prefix = Arrays.copyOf(text, text.length + 1);
    prefix[text.length] = '/';
    return prefix;
  }

  private static byte[] shorten(byte[] whole) {
    return shorten(whole, MAX_BYTES);
  }

  private static byte[] shorten(byte[] whole, int limitBytes) {
    int kept = limitBytes - HASH_CHARS - 1;
    byte[] form = Arrays.copyOf(whole, limitBytes);
    form[kept] = SHORTENED;
    byte[] hash = HexFormat.of().formatHex(Sha256.of(whole)).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(hash, 0, form, kept + 1, HASH_CHARS);
    return form;
  }

  /**
   * Percent-encodes the separators and the ASCII control characters (NUL among them); all else
   * stays as it is.
   */
  private static byte[] escape(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (isEscaped(b)) {
        out.write('%');
        out.writeBytes(
            HexFormat.of().withUpperCase().toHexDigits(b).getBytes(StandardCharsets.US_ASCII));
      } else {
        out.write(b);
      }
    }
    return out.toByteArray();
  }

  private static boolean isEscaped(byte b) {
    boolean control = (b >= 0 && b < ' ') || b == 0x7f;
    return control || b == '/' || b == '%' || b == SHORTENED;
  }
}
