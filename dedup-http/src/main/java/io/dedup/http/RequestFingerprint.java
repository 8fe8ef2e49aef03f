// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects what tells a repeated request from another one: method, path, query, media type, chosen
 * headers, and the body in one of its forms. Each part is behind its length, so that no part can
 * look like the beginning of the next. Confined to one request.
 */
final class RequestFingerprint {

  private static final int VERSION = 1;

  /**
   * Fingerprints of operations that are not set up like the default have a number of their own
   * among these, so that a changed set-up finds nothing to compare instead of a false difference.
   */
  private static final int CUSTOM_FIRST = 128;

  private static final int CUSTOM_COUNT = 128;

  private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
  private final int algorithm;

  RequestFingerprint(int algorithm) {
    this.algorithm = algorithm;
    whole.write(VERSION);
  }

  /** Returns the number of the algorithm that these choices make. */
  static int algorithm(
      BodyFingerprint body, List<String> fields, Set<String> ignored, List<String> headers) {
    if (body == BodyFingerprint.CANONICAL && ignored.isEmpty() && headers.isEmpty()) {
      return Fingerprint.HTTP;
    }
    List<String> choices = new ArrayList<>();
    choices.add(body.name());
    choices.addAll(fields);
    choices.add("ignored");
    choices.addAll(ignored.stream().sorted().toList());
    choices.add("headers");
    choices.addAll(headers);
    int hash = ByteBuffer.wrap(RequestKey.digest(choices)).getInt();
    return CUSTOM_FIRST + Math.floorMod(hash, CUSTOM_COUNT);
  }

  RequestFingerprint request(
      String method, String path, @Nullable String query, @Nullable String mediaType) {
    text("request");
    text(method);
    text(path);
    text(sorted(query));
    text(mediaType == null ? "" : mediaType);
    return this;
  }

  /** The order of parameters means nothing, save among those of one name. */
  private static String sorted(@Nullable String query) {
    if (query == null) {
      return "";
    }
    Map<String, List<String>> byName = new TreeMap<>();
    for (String pair : query.split("&", -1)) {
      int end = pair.indexOf('=');
      byName
          .computeIfAbsent(end < 0 ? pair : pair.substring(0, end), n -> new ArrayList<>())
          .add(pair);
    }
    return String.join("&", byName.values().stream().flatMap(List::stream).toList());
  }

  RequestFingerprint header(String name, List<String> values) {
    text("header");
    text(name.toLowerCase(Locale.ROOT));
    texts(values);
    return this;
  }

  RequestFingerprint raw(byte[] body) {
    text("raw");
    return digest(body);
  }

  /** The body as JSON, or byte by byte if it is none. */
  RequestFingerprint json(byte[] body, Set<String> ignored) {
    byte[] canonical = CanonicalJson.of(body, ignored);
    if (canonical == null) {
      return raw(body);
    }
    text("json");
    return digest(canonical);
  }

  RequestFingerprint form(Map<String, String[]> parameters) {
    text("form");
    new TreeMap<>(parameters)
        .forEach(
            (name, values) -> {
              text(name);
              texts(Arrays.asList(values));
            });
    return this;
  }

  /** One part of a multipart body; its boundary is another each time and does not count. */
  RequestFingerprint part(
      String name, @Nullable String fileName, @Nullable String contentType, byte[] sha256) {
    text("part");
    text(name);
    text(fileName == null ? "" : "name:" + fileName);
    text(contentType == null ? "" : contentType);
    bytes(sha256);
    return this;
  }

  RequestFingerprint field(String expression, @Nullable String value) {
    text("field");
    text(expression);
    text(value == null ? "" : "value:" + value);
    return this;
  }

  Fingerprint toFingerprint() {
    return Fingerprint.sha256(algorithm, whole.toByteArray());
  }

  private RequestFingerprint digest(byte[] content) {
    bytes(RequestKey.sha256().digest(content));
    return this;
  }

  private void texts(List<String> values) {
    text(Integer.toString(values.size()));
    values.forEach(this::text);
  }

  private void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  private void bytes(byte[] value) {
    whole.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
    whole.writeBytes(value);
  }
}
