// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.Fingerprint;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Takes the fingerprint of a request to a WebFlux application. Thread-safe. */
final class ReactiveFingerprint {

  private ReactiveFingerprint() {}

  /**
   * Takes it.
   *
   * @param values what expressions may refer to
   */
  static Mono<Fingerprint> of(
      ServerWebExchange exchange, Operation.BodyRule rule, RequestValues values) {
    ServerHttpRequest request = exchange.getRequest();
    String contentType = request.getHeaders().getFirst("Content-Type");
    RequestFingerprint print =
        new RequestFingerprint(rule.algorithm())
            .request(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                request.getURI().getRawQuery(),
                RequestParts.normalised(contentType));
    rule.headers().forEach(name -> print.header(name, request.getHeaders().getOrEmpty(name)));
    return switch (rule.kind()) {
      case NONE -> Mono.fromSupplier(print::toFingerprint);
      case FIELDS -> {
        rule.fields().forEach(f -> print.field(f.text(), f.whole(values)));
        yield Mono.fromSupplier(print::toFingerprint);
      }
      case CANONICAL, RAW -> body(exchange, rule, RequestParts.mediaType(contentType), print);
    };
  }

  private static Mono<Fingerprint> body(
      ServerWebExchange exchange,
      Operation.BodyRule rule,
      @Nullable MediaType type,
      RequestFingerprint print) {
    ReactiveState state = ReactiveState.of(exchange);
    byte[] body = state == null ? null : state.exchange().body();
    if (body == null || RequestParts.isForm(type)) {
      return exchange.getFormData().map(form -> print.form(arrays(form)).toFingerprint());
    }
    if (RequestParts.isMultipart(type)) {
      return exchange
          .getMultipartData()
          .flatMap(parts -> parts(parts, print))
          .thenReturn(print)
          .map(RequestFingerprint::toFingerprint);
    }
    boolean json = rule.kind() == BodyFingerprint.CANONICAL && RequestParts.isJson(type);
    return Mono.fromSupplier(
        () -> (json ? print.json(body, rule.ignored()) : print.raw(body)).toFingerprint());
  }

  private static Map<String, String[]> arrays(MultiValueMap<String, String> form) {
    Map<String, String[]> arrays = new HashMap<>();
    form.forEach((name, values) -> arrays.put(name, values.toArray(String[]::new)));
    return arrays;
  }

  /** Clients keep the order of parts with one name; that of names they may not. */
  private static Mono<Void> parts(MultiValueMap<String, Part> parts, RequestFingerprint print) {
    List<Part> sorted =
        parts.values().stream()
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Part::name))
            .toList();
    return Flux.fromIterable(sorted).concatMap(part -> part(part, print)).then();
  }

  private static Mono<Void> part(Part part, RequestFingerprint print) {
    MessageDigest sha256 = RequestKey.sha256();
    return part.content()
        .doOnNext(buffer -> digest(buffer, sha256))
        .then(
            Mono.fromRunnable(
                () ->
                    print.part(
                        part.name(),
                        part instanceof FilePart file ? file.filename() : null,
                        part.headers().getFirst("Content-Type"),
                        sha256.digest())));
  }

  private static void digest(DataBuffer buffer, MessageDigest sha256) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.read(bytes);
    DataBufferUtils.release(buffer);
    sha256.update(bytes);
  }
}
