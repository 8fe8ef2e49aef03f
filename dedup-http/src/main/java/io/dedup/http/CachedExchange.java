// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.http.codec.multipart.DefaultPartHttpMessageReader;
import org.springframework.http.codec.multipart.MultipartHttpMessageReader;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A request whose body is kept in memory and can be read as often as wanted. Until {@link #cache}
 * it is the request as it came.
 */
final class CachedExchange extends ServerWebExchangeDecorator {

  private final ServerHttpRequest request;
  private final ServerHttpResponse response;
  private volatile byte @Nullable [] body;

  CachedExchange(ServerWebExchange original, ServerHttpResponse response) {
    super(original);
    this.request = new Request(original.getRequest());
    this.response = response;
  }

  @Override
  public ServerHttpRequest getRequest() {
    return request;
  }

  @Override
  public ServerHttpResponse getResponse() {
    return response;
  }

  /** Returns the body; {@link #cache} was called before, and was not in vain. */
  byte @Nullable [] body() {
    return body;
  }

  /**
   * Reads the body. Where another filter has read it as a form before us, it stays read.
   *
   * @return whether it is within the limit
   */
  Mono<Boolean> cache(int max) {
    if (body != null) {
      return Mono.just(true);
    }
    return DataBufferUtils.join(getDelegate().getRequest().getBody(), max)
        .map(CachedExchange::bytes)
        .defaultIfEmpty(new byte[0])
        .doOnNext(read -> body = read)
        .thenReturn(true)
        .onErrorResume(DataBufferLimitException.class, e -> Mono.just(false))
        .onErrorResume(IllegalStateException.class, e -> Mono.just(true));
  }

  private static byte[] bytes(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.read(bytes);
    DataBufferUtils.release(buffer);
    return bytes;
  }

  @Override
  public Mono<MultiValueMap<String, String>> getFormData() {
    if (body == null || !RequestParts.isForm(request.getHeaders().getContentType())) {
      return super.getFormData();
    }
    return new FormHttpMessageReader()
        .readMono(ResolvableType.forClass(MultiValueMap.class), request, Map.of())
        .defaultIfEmpty(new LinkedMultiValueMap<>());
  }

  @Override
  public Mono<MultiValueMap<String, Part>> getMultipartData() {
    byte[] read = body;
    if (read == null || !RequestParts.isMultipart(request.getHeaders().getContentType())) {
      return super.getMultipartData();
    }
    DefaultPartHttpMessageReader parts = new DefaultPartHttpMessageReader();
    // All of it is in memory anyway, and a file would be read by who must not wait.
    parts.setMaxInMemorySize(Math.max(1, read.length));
    return new MultipartHttpMessageReader(parts)
        .readMono(ResolvableType.forClass(MultiValueMap.class), request, Map.of())
        .defaultIfEmpty(new LinkedMultiValueMap<>());
  }

  private final class Request extends ServerHttpRequestDecorator {
    Request(ServerHttpRequest original) {
      super(original);
    }

    @Override
    public Flux<DataBuffer> getBody() {
      byte[] read = body;
      if (read == null) {
        return super.getBody();
      }
      return read.length == 0
          ? Flux.empty()
          : Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(read)));
    }
  }
}
