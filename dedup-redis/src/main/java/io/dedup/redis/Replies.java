// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.StoreCorrupt;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a script replied: a list of bulk strings, the time and one for each request. Nothing
 * else is an answer, least of all nothing.
 */
final class Replies {

  private Replies() {}

  /**
   * Gives each request of the call its reply.
   *
   * @return the store's time in microseconds since 1970
   */
  static long give(ScriptCall call, @Nullable Object reply) {
    List<Request> requests = call.requests();
    if (!(reply instanceof List<?> list) || list.size() != requests.size() + 1) {
      throw new StoreCorrupt(
          "reply of Redis: was "
              + describe(reply)
              + ", must be a list of "
              + (requests.size() + 1));
    }
    for (int i = 0; i < requests.size(); i++) {
      byte[] bytes = bytes(list.get(i + 1));
      if (bytes.length == 0) {
        throw new StoreCorrupt("reply of Redis: was empty, must be a letter and its fields");
      }
      requests.get(i).replied(bytes);
    }
    return micros(bytes(list.get(0)));
  }

  private static byte[] bytes(@Nullable Object element) {
    if (element instanceof byte[] bytes) {
      return bytes;
    }
    throw new StoreCorrupt("reply of Redis: was " + describe(element) + ", must be a bulk string");
  }

  private static long micros(byte[] text) {
    try {
      return Long.parseLong(new String(text, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw new StoreCorrupt("reply of Redis: the time was no number");
    }
  }

  private static String describe(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return "a list of " + list.size();
    }
    return value == null ? "nothing" : value.getClass().getSimpleName();
  }
}
