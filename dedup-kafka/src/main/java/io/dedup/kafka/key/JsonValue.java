// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.ExtractedId;

/**
 * A value in a JSON document, as far as an id needs it.
 *
 * @param kind what it is
 * @param text the characters of a text, the lexeme of a number or boolean, else empty
 */
record JsonValue(Kind kind, String text) {

  static final JsonValue ABSENT = new JsonValue(Kind.ABSENT, "");

  enum Kind {
    ABSENT,
    NULL,
    TEXT,
    NUMBER,
    BOOLEAN,
    OBJECT,
    ARRAY
  }

  /**
   * Returns the value as an id.
   *
   * <p>A boolean is none: a key of two values would make nearly every message a duplicate.
   */
  ExtractedId id(String where) {
    return switch (kind) {
      case ABSENT, NULL -> new ExtractedId.Missing(where);
      case TEXT -> Ids.text(where, text);
      case NUMBER -> Ids.number(where, text);
      case BOOLEAN -> unreadable(where, "is a boolean");
      case OBJECT -> unreadable(where, "is an object");
      case ARRAY -> unreadable(where, "is an array");
    };
  }

  private static ExtractedId unreadable(String where, String is) {
    return new ExtractedId.Unreadable(where, is + ", must be text or a number");
  }
}
