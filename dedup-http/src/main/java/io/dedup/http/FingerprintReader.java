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
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** Takes the fingerprint of a request. Thread-safe. */
final class FingerprintReader {

  private FingerprintReader() {}

  /** Returns whether the container reads the body, and not the handler. */
  static boolean isForm(HttpServletRequest request) {
    return request.getMethod().equals("POST") && RequestParts.isForm(mediaType(request));
  }

  static boolean isMultipart(HttpServletRequest request) {
    return RequestParts.isMultipart(mediaType(request));
  }

  private static @Nullable MediaType mediaType(HttpServletRequest request) {
    return RequestParts.mediaType(request.getContentType());
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
                RequestParts.normalised(request.getContentType()));
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
    if (body.size() == 0 && RequestParts.isForm(mediaType(request))) {
      // A filter before us has read the form of a PUT, PATCH or DELETE.
      fingerprint.form(request.getParameterMap());
    } else if (rule.kind() == BodyFingerprint.CANONICAL
        && RequestParts.isJson(mediaType(request))) {
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
}
