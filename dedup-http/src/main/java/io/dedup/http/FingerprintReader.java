// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.Fingerprint;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Takes the fingerprint of a request. Thread-safe. */
final class FingerprintReader {

  private FingerprintReader() {}

  /** Returns the media type as far as it says what the body is, null if there is none. */
  static @Nullable MediaType mediaType(HttpServletRequest request) {
    String text = request.getContentType();
    try {
      return text == null ? null : MediaType.parseMediaType(text);
    } catch (InvalidMediaTypeException e) {
      return null;
    }
  }

  /** Returns whether the container reads the body, and not the handler. */
  static boolean isForm(HttpServletRequest request) {
    return request.getMethod().equals("POST") && isFormType(mediaType(request));
  }

  private static boolean isFormType(@Nullable MediaType type) {
    return type != null && type.isCompatibleWith(MediaType.APPLICATION_FORM_URLENCODED);
  }

  static boolean isMultipart(HttpServletRequest request) {
    MediaType type = mediaType(request);
    return type != null && type.getType().equals("multipart");
  }

  static boolean isJson(HttpServletRequest request) {
    MediaType type = mediaType(request);
    return type != null
        && (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"));
  }

  /**
   * Takes it.
   *
   * @param body the body, null where the container reads it
   * @param values what expressions may refer to
   */
  static Fingerprint of(
      HttpServletRequest request,
      Operation.BodyRule rule,
      @Nullable Body body,
      RequestValues values)
      throws IOException, ServletException {
    RequestFingerprint fingerprint =
        new RequestFingerprint(rule.algorithm())
            .request(
                request.getMethod(),
                request.getRequestURI(),
                request.getQueryString(),
                normalised(request));
    for (String name : rule.headers()) {
      fingerprint.header(name, Collections.list(request.getHeaders(name)));
    }
    switch (rule.kind()) {
      case NONE -> {}
      case FIELDS -> rule.fields().forEach(f -> fingerprint.field(f.text(), f.whole(values)));
      case CANONICAL, RAW -> body(request, rule, body, fingerprint);
    }
    return fingerprint.toFingerprint();
  }

  private static void body(
      HttpServletRequest request,
      Operation.BodyRule rule,
      @Nullable Body body,
      RequestFingerprint fingerprint)
      throws IOException, ServletException {
    if (isMultipart(request)) {
      parts(request, fingerprint);
      return;
    }
    if (body == null) {
      fingerprint.form(request.getParameterMap());
      return;
    }
    if (body.size() == 0 && isFormType(mediaType(request))) {
      // A filter before us has read the form of a PUT, PATCH or DELETE.
      fingerprint.form(request.getParameterMap());
    } else if (rule.kind() == BodyFingerprint.CANONICAL && isJson(request)) {
      fingerprint.json(body.bytes(), rule.ignored());
    } else {
      fingerprint.raw(body.bytes());
    }
  }

  /** Clients keep the order of parts with one name; that of names they may not. */
  private static void parts(HttpServletRequest request, RequestFingerprint fingerprint)
      throws IOException, ServletException {
    List<Part> parts = new ArrayList<>(request.getParts());
    parts.sort(Comparator.comparing(Part::getName));
    for (Part part : parts) {
      MessageDigest sha256 = RequestKey.sha256();
      try (InputStream in = new DigestInputStream(part.getInputStream(), sha256)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      fingerprint.part(
          part.getName(), part.getSubmittedFileName(), part.getContentType(), sha256.digest());
    }
  }

  private static @Nullable String normalised(HttpServletRequest request) {
    MediaType type = mediaType(request);
    if (type == null) {
      return request.getContentType();
    }
    Map<String, String> parameters = new TreeMap<>();
    type.getParameters().forEach((n, v) -> parameters.put(n.toLowerCase(Locale.ROOT), v));
    parameters.remove("boundary");
    parameters.remove("charset");
    String name = type.getType() + "/" + type.getSubtype();
    return parameters.isEmpty() ? name : name + parameters;
  }
}
