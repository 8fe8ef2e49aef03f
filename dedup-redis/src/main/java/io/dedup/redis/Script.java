// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script and the digest by which Redis knows it.
 *
 * @param text the script
 * @param sha1 in hexadecimal, as {@code EVALSHA} wants it
 */
record Script(String text, String sha1) {

  /** Returns the script of these verbs: what all share, the verbs, and what runs them. */
  static Script of(RedisLayout layout, Verb... verbs) {
    StringBuilder text = new StringBuilder(resource("record"));
    if (layout == RedisLayout.COMPACT) {
      text.append(resource("compact"));
    }
    for (Verb verb : verbs) {
      text.append(resource(verb.file()));
    }
    return ofText(text.append(resource("run")).toString());
  }

  static Script ofText(String text) {
    return new Script(text, sha1(text));
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String resource(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IllegalStateException(name + ".lua is missing beside " + Script.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
