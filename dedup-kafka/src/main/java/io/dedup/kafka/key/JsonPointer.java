// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.ArrayList;
import java.util.List;

/**
 * A place in a JSON document, as RFC 6901 writes it.
 *
 * @param text the pointer, empty for the whole document
 * @param tokens the names of members, or indices of elements, from the root on
 */
record JsonPointer(String text, List<String> tokens) {

  /** As many levels as a document may have. */
  private static final int TOKENS_MAX = 100;

  static JsonPointer parse(String text) {
    List<String> tokens = new ArrayList<>();
    if (!text.isEmpty()) {
      if (text.charAt(0) != '/') {
        throw refused(text, "must be empty or begin with '/'");
      }
      for (String token : text.substring(1).split("/", -1)) {
        tokens.add(unescape(text, token));
      }
    }
    if (tokens.size() > TOKENS_MAX) {
      throw refused(text, "must not have more than " + TOKENS_MAX + " tokens");
    }
    return new JsonPointer(text, List.copyOf(tokens));
  }

  /** Returns the index that a token is in an array, -1 if it is none. */
  static int index(String token) {
    return token.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(token) : -1;
  }

  private static String unescape(String text, String token) {
    if (token.replace("~0", "").replace("~1", "").contains("~")) {
      throw refused(text, "must have '~' only as '~0' (for ~) or '~1' (for /)");
    }
    return token.replace("~1", "/").replace("~0", "~");
  }

  private static IllegalArgumentException refused(String text, String must) {
    return new IllegalArgumentException(
        "json pointer: was '" + text + "', " + must + " (RFC 6901)");
  }
}
