// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Spring's header mappers may write a value as JSON and say so in a header of their own, which maps
 * the names of such headers to Java types. Text is then in quotes, and without quotes if a newer
 * mapper wrote it; both are the same text.
 */
final class SpringHeaders {

  static final String TYPES = "spring_json_header_types";

  /** The types that are written as text in quotes. */
  private static final Set<String> QUOTED = Set.of("java.lang.String", "java.util.UUID");

  private static final JsonPointer ROOT = JsonPointer.parse("");

  private SpringHeaders() {}

  /** Returns the Java type that a mapper noted for header {@code name}, null if none did. */
  static @Nullable String type(Headers headers, String name) {
    Header types = headers.lastHeader(TYPES);
    if (types == null || types.value() == null) {
      return null;
    }
    JsonValue type = find(types.value(), new JsonPointer("", List.of(name)));
    return type.kind() == JsonValue.Kind.TEXT ? type.text() : null;
  }

  /**
   * Returns the value without the quotes that a mapper put around it. What is no JSON text stays as
   * it is.
   */
  static byte[] unquote(byte[] value, @Nullable String type) {
    if (type == null || !QUOTED.contains(type) || value.length == 0 || value[0] != '"') {
      return value;
    }
    JsonValue text = find(value, ROOT);
    boolean readable =
        text.kind() == JsonValue.Kind.TEXT
            && StandardCharsets.UTF_8.newEncoder().canEncode(text.text());
    return readable ? text.text().getBytes(StandardCharsets.UTF_8) : value;
  }

  /** Spring's own mapper passes over what it cannot read, too. */
  private static JsonValue find(byte[] json, JsonPointer pointer) {
    try {
      return Json.find(TYPES, json, pointer);
    } catch (UnreadableRecordException e) {
      return JsonValue.ABSENT;
    }
  }
}
