// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * One way to write each JSON document: no spacing, members by name (by UTF-16 code unit, as RFC
 * 8785 does), characters unescaped where they can be. The order of elements and the lexemes of
 * numbers stay as they are: {@code 1} and {@code 1.0} are two documents. A name that occurs twice
 * in an object is refused.
 */
final class CanonicalJson {

  private final JsonParser parser;
  private final StringBuilder out = new StringBuilder();

  private CanonicalJson(JsonParser parser) {
    this.parser = parser;
  }

  /** Leaves the parser on the last token of the value it stood on. */
  static String of(JsonParser parser) {
    CanonicalJson canonical = new CanonicalJson(parser);
    canonical.write(canonical.read());
    return canonical.out.toString();
  }

  /** Text is a String here; what has only one lexeme, or keeps its own, is a Lexeme. */
  private Object read() {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readMembers();
      case START_ARRAY -> readElements();
      case VALUE_STRING -> parser.getString();
      default -> new Lexeme(parser.getString());
    };
  }

  private Map<String, Object> readMembers() {
    Map<String, Object> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (members.put(name, read()) != null) {
        throw new RefusedJson("an object has a member twice, must be unambiguous");
      }
    }
    return members;
  }

  private List<Object> readElements() {
    List<Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(read());
    }
    return elements;
  }

  private void write(Object value) {
    if (value instanceof Map<?, ?> members) {
      out.append('{');
      for (Iterator<? extends Map.Entry<?, ?>> i = members.entrySet().iterator(); i.hasNext(); ) {
        Map.Entry<?, ?> member = i.next();
        quote((String) member.getKey());
        out.append(':');
        write(member.getValue());
        out.append(i.hasNext() ? "," : "");
      }
      out.append('}');
    } else if (value instanceof List<?> elements) {
      out.append('[');
      for (Iterator<?> i = elements.iterator(); i.hasNext(); ) {
        write(i.next());
        out.append(i.hasNext() ? "," : "");
      }
      out.append(']');
    } else if (value instanceof String text) {
      quote(text);
    } else {
      out.append(((Lexeme) value).text());
    }
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || (Character.isSurrogate(c) && !isPaired(text, i))) {
        // An unpaired surrogate has no bytes in UTF-8: two of them would become the same '?'.
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static boolean isPaired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }

  private record Lexeme(String text) {}
}
