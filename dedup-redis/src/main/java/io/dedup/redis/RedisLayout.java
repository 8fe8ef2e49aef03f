// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

/** How Redis keeps what is done; docs/redis-layouts.md compares them. */
public enum RedisLayout {
  /** Each key is a text of its own, with all that a record has: about 200 bytes. */
  STANDARD,

  /**
   * What is done and has no result is an entry of 33 bytes in a page that Redis drops as a whole,
   * after the ttl and before one and a quarter of it. Such a key keeps no fingerprint, origin,
   * owner, claim id and token, so a conflict is not noticed and the reason of a duplicate not
   * known. Keys must be digests of 16 bytes. All processes that share a prefix change together.
   */
  COMPACT
}
