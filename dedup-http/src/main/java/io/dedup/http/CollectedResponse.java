// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A response that is collected until its completion is stored, and sent then. Until {@link #hold}
 * it is the response as it is, and so it stays for what is streamed or not guarded.
 */
final class CollectedResponse extends ServerHttpResponseDecorator {

  private final ReactiveState state;
  private final ReactiveEnd end;
  private final Body body;
  private volatile boolean holding;
  private volatile boolean collected;
  private HttpHeaders before = new HttpHeaders();
  private ResponsePolicy policy = ResponsePolicy.of(null);

  CollectedResponse(
      ServerHttpResponse original, ReactiveState state, ReactiveEnd end, int spoolThreshold) {
    super(original);
    this.state = state;
    this.end = end;
    this.body = new Body(spoolThreshold);
  }

  /** Collects what is written from now on; what headers there are, are those of filters. */
  void hold() {
    before = new HttpHeaders();
    before.putAll(getHeaders());
    holding = true;
  }

  /** Collects nothing any more; nothing was written until now. */
  void letThrough() {
    holding = false;
  }

  boolean isHeld() {
    return holding;
  }

  int status() {
    HttpStatusCode status = getStatusCode();
    return status == null ? 200 : status.value();
  }

  @Override
  public boolean isCommitted() {
    return holding ? collected : super.isCommitted();
  }

  @Override
  public Mono<Void> writeWith(Publisher<? extends DataBuffer> content) {
    if (!holding) {
      return super.writeWith(content);
    }
    return end.onOwnThreads(Flux.from(content))
        .doOnNext(this::collect)
        .doOnError(
            e -> {
              state.failed(e);
              body.clear();
            })
        .then(Mono.defer(this::finished));
  }

  @Override
  public Mono<Void> writeAndFlushWith(
      Publisher<? extends Publisher<? extends DataBuffer>> content) {
    return holding
        ? writeWith(Flux.from(content).concatMap(part -> part))
        : super.writeAndFlushWith(content);
  }

  @Override
  public Mono<Void> setComplete() {
    return holding ? finished() : super.setComplete();
  }

  private void collect(DataBuffer buffer) {
    try {
      byte[] bytes = new byte[buffer.readableByteCount()];
      buffer.read(bytes);
      body.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      DataBufferUtils.release(buffer);
    }
  }

  /** All is here: it is stored, then it is sent. */
  private Mono<Void> finished() {
    collected = true;
    policy = ResponsePolicy.of(getHeaders().getFirst(ResponsePolicy.HEADER));
    getHeaders().remove(ResponsePolicy.HEADER);
    return end.settled(state).then(Mono.defer(this::send));
  }

  private Mono<Void> send() {
    holding = false;
    if (body.size() == 0) {
      return super.setComplete();
    }
    getHeaders().setContentLength(body.size());
    return super.writeWith(end.read(body, bufferFactory()));
  }

  /** Returns how the handler wants it to be kept. */
  ResponsePolicy policy() {
    return policy;
  }

  /** Returns what to keep of it. */
  StoredResponse toStored(Operation operation, ResponseLimits limits) {
    List<StoredResponse.Field> kept = new ArrayList<>();
    limits.headers().forEach(name -> keep(name, kept));
    boolean bytes = operation.replay() == Replay.BYTES;
    boolean replayable =
        (bytes || operation.replay() == Replay.STATUS_ONLY)
            && holding
            && !policy.noStore()
            && (!bytes || body.size() <= limits.maxBody());
    if (!replayable) {
      return new StoredResponse(StoredResponse.Kind.NO_BODY, status(), null, kept, new byte[0]);
    }
    if (bytes) {
      keep("Content-Encoding", kept);
    }
    return new StoredResponse(
        StoredResponse.Kind.WHOLE, status(), null, kept, bytes ? body.bytes() : new byte[0]);
  }

  /** Only what was set on this side of us: not what filters before us have put there. */
  private void keep(String name, List<StoredResponse.Field> kept) {
    List<String> values = getHeaders().getOrEmpty(name);
    if (!values.equals(before.getOrEmpty(name))) {
      values.forEach(value -> kept.add(new StoredResponse.Field(name, value)));
    }
  }

  void discard() {
    body.close();
  }
}
