// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import org.jspecify.annotations.Nullable;

/** What a script is to do with one key, and what it replied. Not thread-safe. */
final class Request {

  private final KeyName key;
  private final byte[] bytes;
  private byte @Nullable [] reply;

  /**
   * Makes a request.
   *
   * @param key the key
   * @param bytes the verb's letter and what its file says
   */
  Request(KeyName key, ByteWriter bytes) {
    this.key = key;
    this.bytes = bytes.toBytes();
  }

  KeyName key() {
    return key;
  }

  byte[] bytes() {
    return bytes;
  }

  void replied(byte[] bytes) {
    reply = bytes;
  }

  byte[] reply() {
    if (reply == null) {
      throw new IllegalStateException("not sent yet");
    }
    return reply;
  }
}
