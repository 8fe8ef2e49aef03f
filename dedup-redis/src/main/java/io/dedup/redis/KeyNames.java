// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
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
  private final RedisLayout layout;
  private final byte[][] heads;

  KeyNames(String prefix, KeyFormat format) {
    this(prefix, format, RedisLayout.STANDARD);
  }

  KeyNames(String prefix, KeyFormat format, RedisLayout layout) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix: was '" + prefix + "', must be 1 to 64 of A-Z a-z 0-9 . _ : / -");
    }
    this.prefix = prefix;
    this.format = format;
    this.layout = layout;
    this.formAt = prefix.length() + ":{tt}:".length();
    this.heads = heads(prefix);
  }

  /** For each bucket, what the names of its keys begin with. */
  private static byte[][] heads(String prefix) {
    byte[][] heads = new byte[Buckets.COUNT][];
    for (int bucket = 0; bucket < heads.length; bucket++) {
      String tag = new String(Buckets.tag(bucket), StandardCharsets.US_ASCII);
      heads[bucket] = (prefix + ":{" + tag + "}:").getBytes(StandardCharsets.US_ASCII);
    }
    return heads;
  }

  /** Returns the name of {@code key}, and the bucket it is in. */
  KeyName of(IdempotencyKey key) {
    byte[] form = format.encode(key);
    int bucket = Buckets.of(form);
    byte[] name = Arrays.copyOf(heads[bucket], formAt + form.length);
    System.arraycopy(form, 0, name, formAt, form.length);
    return named(name, bucket);
  }

  /** Returns the name that SCAN found. */
  KeyName found(byte[] name) {
    return named(name, Buckets.of(Arrays.copyOfRange(name, formAt, name.length)));
  }

  private KeyName named(byte[] name, int bucket) {
    return new KeyName(name, bucket, layout == RedisLayout.COMPACT ? index(bucket) : null);
  }

  /** Returns the name of the index that the compact layout has for a bucket. */
  byte[] index(int bucket) {
    byte[] name = heads[bucket].clone();
    name[formAt - 1] = '#';
    return name;
  }

  /** Returns the SCAN pattern that the pages of the compact layout match. */
  String pages() {
    return prefix + ":{??}#?*";
  }

  /**
   * Returns the name that a key would have whose stored form is in a page of the compact layout.
   */
  byte[] inPage(byte[] page, byte[] form) {
    byte[] name = Arrays.copyOf(page, formAt + form.length);
    name[formAt - 1] = ':';
    System.arraycopy(form, 0, name, formAt, form.length);
    return name;
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
