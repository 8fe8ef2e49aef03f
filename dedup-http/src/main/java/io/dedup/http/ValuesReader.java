// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what expressions may refer to. Thread-safe. */
final class ValuesReader {

  /** Numbers keep their digits: an amount must not become another one as a key. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  private ValuesReader() {}

  static RequestValues of(HttpServletRequest request, String tenant, @Nullable Body body) {
    return new RequestValues(
        headers(request),
        pathVariables(request),
        query(request),
        request.getUserPrincipal(),
        tenant,
        () -> body == null ? null : json(body));
  }

  private static Map<String, String> headers(HttpServletRequest request) {
    Map<String, String> headers = new LinkedCaseInsensitiveMap<>();
    request
        .getHeaderNames()
        .asIterator()
        .forEachRemaining(name -> headers.put(name, request.getHeader(name)));
    return headers;
  }

  private static Map<String, String> pathVariables(HttpServletRequest request) {
    Map<String, String> variables = new HashMap<>();
    if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
        instanceof Map<?, ?> found) {
      found.forEach((name, value) -> variables.put(String.valueOf(name), String.valueOf(value)));
    }
    return variables;
  }

  /** From the query itself: asking for parameters would read a form. */
  private static Map<String, String> query(HttpServletRequest request) {
    Map<String, String> query = new LinkedHashMap<>();
    if (request.getQueryString() != null) {
      UriComponentsBuilder.newInstance()
          .query(request.getQueryString())
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

  private static @Nullable JsonNode json(Body body) {
    try {
      return MAPPER.readTree(body.bytes());
    } catch (JacksonException e) {
      return null;
    }
  }
}
