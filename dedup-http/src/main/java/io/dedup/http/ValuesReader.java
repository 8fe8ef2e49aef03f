// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.web.servlet.HandlerMapping;

/** Reads what expressions may refer to. Thread-safe. */
final class ValuesReader {

  private ValuesReader() {}

  static RequestValues of(HttpServletRequest request, String tenant, @Nullable Body body) {
    return new RequestValues(
        headers(request),
        pathVariables(request),
        // From the query itself: asking for parameters would read a form.
        RequestParts.query(request.getQueryString()),
        request.getUserPrincipal(),
        tenant,
        () -> body == null ? null : RequestParts.json(body.bytes()));
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
}
