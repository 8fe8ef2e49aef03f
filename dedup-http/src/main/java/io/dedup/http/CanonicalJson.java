// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a JSON document in one way: members in the order of their names, no spacing, strings
 * escaped alike, numbers with the digits they came with ({@code 1} and {@code 1.0} differ, because
 * a handler may see a difference). Thread-safe.
 */
final class CanonicalJson {

  private static final int DEPTH_MAX = 500;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          // No value is larger than its body, which has a limit.
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .build())
                  // Which of two members with one name counts is the handler's parser's business.
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  private CanonicalJson() {}

  /**
   * Returns the canonical form.
   *
   * @param ignored JSON pointers to values that do not count
   * @return null if it is not one well-formed document, or names a member twice
   */
  static byte @Nullable [] of(byte[] json, Set<String> ignored) {
    try (JsonParser parser = MAPPER.createParser(json)) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return null;
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
      out.writeBytes(value(parser, token, "", ignored).getBytes(StandardCharsets.UTF_8));
      return parser.nextToken() == null ? out.toByteArray() : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  private static String value(
      JsonParser parser, JsonToken token, String pointer, Set<String> ignored) {
    return switch (token) {
      case START_OBJECT -> object(parser, pointer, ignored);
      case START_ARRAY -> array(parser, pointer, ignored);
      case VALUE_STRING -> quoted(parser.getString());
      // The lexeme as it was sent.
      default -> parser.getString();
    };
  }

  private static String object(JsonParser parser, String pointer, Set<String> ignored) {
    Map<String, String> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String at = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
      String text = value(parser, parser.nextToken(), at, ignored);
      if (!ignored.contains(at)) {
        members.put(name, text);
      }
    }
    StringBuilder out = new StringBuilder("{");
    members.forEach(
        (name, text) -> {
          if (out.length() > 1) {
            out.append(',');
          }
          out.append(quoted(name)).append(':').append(text);
        });
    return out.append('}').toString();
  }

  private static String array(JsonParser parser, String pointer, Set<String> ignored) {
    List<String> elements = new ArrayList<>();
    int index = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      String at = pointer + "/" + index++;
      String text = value(parser, token, at, ignored);
      if (!ignored.contains(at)) {
        elements.add(text);
      }
    }
    return "[" + String.join(",", elements) + "]";
  }

  private static String quoted(String text) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = MAPPER.createGenerator(out)) {
      generator.writeString(text);
    }
    return out.toString();
  }
}
