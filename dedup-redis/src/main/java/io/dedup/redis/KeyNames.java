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

  private final String prefix;
  private final KeyFormat format;
  private final int formAt;

  KeyNames(String prefix, KeyFormat format) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix: was '" + prefix + "', must be 1 to 64 of A-Z a-z 0-9 . _ : / -");
    }
    this.prefix = prefix;
    this.format = format;
    this.formAt = prefix.length() + ":{tt}:".length();
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
    return new KeyName(name, Buckets.of(Arrays.copyOfRange(name, formAt, name.length)));
  }

  /** Returns the SCAN pattern that all our names match, and no other store's. */
  String pattern() {
    return prefix + ":{??}:*";
  }

  /**
   * Returns the SCAN pattern that the names of {@code scope} match, and perhaps others, since it is
   * text for drivers that know no other: see {@link #isOf}.
   */
  String pattern(String scope) {
    StringBuilder pattern = new StringBuilder(prefix + ":{??}:");
    for (byte b : format.scopePrefix(scope)) {
      boolean plain = b > 0 && Character.isLetterOrDigit((char) b);
      pattern.append(plain ? (char) b : '?');
    }
    return pattern.append('*').toString();
  }

  /** Returns whether a name that SCAN found is of {@code scope}. */
  boolean isOf(String scope, byte[] name) {
    byte[] beginning = format.scopePrefix(scope);
    int end = Math.min(formAt + beginning.length, name.length);
    return Arrays.equals(name, formAt, end, beginning, 0, beginning.length);
  }
}
