// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The names of our keys in Redis: {@code prefix:{tag}:form}. Thread-safe. */
final class KeyNames {

  /** None of these means anything to SCAN, or to a cluster's choice of a slot. */
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:/-]{1,64}");

  private static final String GLOB = "*?[]\\";

  private final String prefix;
  private final KeyFormat format;

  KeyNames(String prefix, KeyFormat format) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix: was '" + prefix + "', must be 1 to 64 of A-Z a-z 0-9 . _ : / -");
    }
    this.prefix = prefix;
    this.format = format;
  }

  /** Returns the name of {@code key}, and the bucket it is in. */
  KeyName of(IdempotencyKey key) {
    byte[] form = format.encode(key);
    int bucket = Buckets.of(form);
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    name.writeBytes((prefix + ":{").getBytes(StandardCharsets.US_ASCII));
    name.writeBytes(Buckets.tag(bucket));
    name.writeBytes("}:".getBytes(StandardCharsets.US_ASCII));
    name.writeBytes(form);
    return new KeyName(name.toByteArray(), bucket);
  }

  /** Returns the name that SCAN found. */
  KeyName found(byte[] name) {
    int form = prefix.length() + ":{tt}:".length();
    return new KeyName(name, Buckets.of(Arrays.copyOfRange(name, form, name.length)));
  }

  /** Returns the SCAN pattern of all our names. */
  byte[] pattern() {
    return pattern(new byte[0]);
  }

  /** Returns the SCAN pattern of the names of {@code scope}. */
  byte[] pattern(String scope) {
    return pattern(format.scopePrefix(scope));
  }

  private byte[] pattern(byte[] beginning) {
    ByteArrayOutputStream pattern = new ByteArrayOutputStream();
    pattern.writeBytes((prefix + ":{??}:").getBytes(StandardCharsets.US_ASCII));
    for (byte b : beginning) {
      if (GLOB.indexOf(b) >= 0) {
        pattern.write('\\');
      }
      pattern.write(b);
    }
    pattern.write('*');
    return pattern.toByteArray();
  }
}
