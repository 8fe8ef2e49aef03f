// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import io.dedup.time.ProcessClock;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Makes ids for operations that have none of their own. Thread-safe.
 *
 * <p>For an operation that already has a name in the business ("pay order 17"), {@link #named} is
 * the better id: it is the same in every process that tries the operation.
 */
@FunctionalInterface
public interface TokenGenerator {

  /** Returns an id for the operation {@code businessType} on {@code businessId}. */
  String next(String businessType, String businessId);

  /**
   * Returns a generator of 128 random bits in 22 characters (RFC 4648, URL-safe); both names are
   * ignored.
   */
  static TokenGenerator random() {
    SecureRandom random = new SecureRandom();
    return (type, id) -> {
      byte[] bits = new byte[16];
      random.nextBytes(bits);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    };
  }

  /** Returns the generator that joins type and id: the same operation always has the same id. */
  static TokenGenerator named() {
    return (type, id) -> CompositeId.join(List.of(type, id));
  }

  /**
   * Returns a generator of type, id, time, node and sequence, joined: readable, growing within the
   * node, and different between nodes. The node is 64 random bits, so nodes that started in the
   * same millisecond differ.
   */
  static TokenGenerator composite(ProcessClock clock) {
    byte[] node = new byte[8];
    new SecureRandom().nextBytes(node);
    return composite(clock, HexFormat.of().formatHex(node));
  }

  /**
   * Returns the generator of {@link #composite(ProcessClock)} for a node with a name.
   *
   * @param node differs between processes that run at the same time; a process that has the name of
   *     one before it makes new tokens as long as the clock has not stepped back; not empty
   */
  static TokenGenerator composite(ProcessClock clock, String node) {
    return new CompositeTokens(clock, node);
  }
}
