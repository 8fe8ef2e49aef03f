// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;

/** Ids of messages that a handler sends: UUIDs of version 5 (RFC 9562, section 5.5). */
final class ChildId {

  private static final UUID NAMESPACE = UUID.fromString("5d1f3c0e-7a52-4c7e-9a83-0c7c7e3f5b11");

  private ChildId() {}

  static UUID of(IdempotencyKey key, String name) {
    String whole = CompositeId.join(List.of(key.scope(), key.id(), name));
    try {
      // RFC 9562 names SHA-1 for version 5; it tells names apart here and protects nothing.
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      sha1.update(
          ByteBuffer.allocate(16)
              .putLong(NAMESPACE.getMostSignificantBits())
              .putLong(NAMESPACE.getLeastSignificantBits())
              .array());
      ByteBuffer hash = ByteBuffer.wrap(sha1.digest(whole.getBytes(StandardCharsets.UTF_8)));
      long high = (hash.getLong() & ~0xf000L) | 0x5000L;
      long low = (hash.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
      return new UUID(high, low);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
