// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Finds the value at a pointer while the document streams by. */
final class JsonLookup {

  private final JsonParser parser;
  private final List<String> tokens;
  private JsonValue found = JsonValue.ABSENT;

  private JsonLookup(JsonParser parser, List<String> tokens) {
    this.parser = parser;
    this.tokens = tokens;
  }

  /** Leaves the parser on the last token of the value it stood on. */
  static JsonValue find(JsonParser parser, JsonPointer pointer) {
    JsonLookup lookup = new JsonLookup(parser, pointer.tokens());
    lookup.visit(0);
    return lookup.found;
  }

  private void visit(int depth) {
    JsonToken token = parser.currentToken();
    if (depth == tokens.size()) {
      found = take(token);
    } else if (token == JsonToken.START_OBJECT) {
      visitMembers(depth);
    } else if (token == JsonToken.START_ARRAY) {
      visitElements(depth);
    }
  }

  private void visitMembers(int depth) {
    boolean seen = false;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      boolean here = parser.currentName().equals(tokens.get(depth));
      parser.nextToken();
      if (!here) {
        parser.skipChildren();
      } else if (seen) {
        throw new RefusedJson("a member on the way occurs twice, must be unambiguous");
      } else {
        seen = true;
        visit(depth + 1);
      }
    }
  }

  private void visitElements(int depth) {
    int wanted = JsonPointer.index(tokens.get(depth));
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      if (i == wanted) {
        visit(depth + 1);
      } else {
        parser.skipChildren();
      }
    }
  }

  private JsonValue take(JsonToken token) {
    return switch (token) {
      case VALUE_STRING -> new JsonValue(JsonValue.Kind.TEXT, parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          new JsonValue(JsonValue.Kind.NUMBER, parser.getString());
      case VALUE_TRUE, VALUE_FALSE -> new JsonValue(JsonValue.Kind.BOOLEAN, parser.getString());
      case VALUE_NULL -> new JsonValue(JsonValue.Kind.NULL, "");
      case START_OBJECT -> skipped(JsonValue.Kind.OBJECT);
      case START_ARRAY -> skipped(JsonValue.Kind.ARRAY);
      default -> throw new IllegalStateException("a value cannot begin with " + token);
    };
  }

  private JsonValue skipped(JsonValue.Kind kind) {
    parser.skipChildren();
    return new JsonValue(kind, "");
  }
}
