// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads query, media type and JSON of requests of every stack. Thread-safe. */
final class RequestParts {

  /** Numbers keep their digits: an amount must not become another one as a key. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  private RequestParts() {}

  /** Returns the first value of each parameter, from the query itself. */
  static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    if (raw != null) {
      UriComponentsBuilder.newInstance()
          .query(raw)
          .build()
          .getQueryParams()
          .toSingleValueMap()
          .forEach((name, value) -> query.put(decoded(name), value == null ? "" : decoded(value)));
    }
    return query;
  }

  private static String decoded(String text) {
    return StringUtils.uriDecode(text.replace('+', ' '), StandardCharsets.UTF_8);
  }

  /** Returns the body as JSON, null if it is none. */
  static @Nullable JsonNode json(byte[] body) {
    try {
      return MAPPER.readTree(body);
    } catch (JacksonException e) {
      return null;
    }
  }

  /** Returns the media type as far as it says what the body is, null if there is none. */
  static @Nullable MediaType mediaType(@Nullable String contentType) {
    try {
      return contentType == null ? null : MediaType.parseMediaType(contentType);
    } catch (InvalidMediaTypeException e) {
      return null;
    }
  }

  static boolean isForm(@Nullable MediaType type) {
    return type != null && type.isCompatibleWith(MediaType.APPLICATION_FORM_URLENCODED);
  }

  static boolean isMultipart(@Nullable MediaType type) {
    return type != null && type.getType().equals("multipart");
  }

  static boolean isJson(@Nullable MediaType type) {
    return type != null
        && (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"));
  }

  /**
   * Returns the media type without what may be another each time, as it counts for fingerprints.
   */
  static @Nullable String normalised(@Nullable String contentType) {
    MediaType type = mediaType(contentType);
    if (type == null) {
      return contentType;
    }
    Map<String, String> parameters = new TreeMap<>();
    type.getParameters().forEach((n, v) -> parameters.put(n.toLowerCase(Locale.ROOT), v));
    parameters.remove("boundary");
    parameters.remove("charset");
    String name = type.getType() + "/" + type.getSubtype();
    return parameters.isEmpty() ? name : name + parameters;
  }
}
