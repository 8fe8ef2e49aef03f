// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.grpc;

import io.dedup.Held;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Waits for the request of a call, and begins the call once its key is claimed. */
final class ClaimedWithRequest<Q, A> extends ServerCall.Listener<Q> {

  private final IdempotencyInterceptor interceptor;
  private final ServerCall<Q, A> call;
  private final Metadata headers;
  private final ServerCallHandler<Q, A> next;
  private final String key;
  private @Nullable Q request;
  private ServerCall.@Nullable Listener<Q> begun;

  ClaimedWithRequest(
      IdempotencyInterceptor interceptor,
      ServerCall<Q, A> call,
      Metadata headers,
      ServerCallHandler<Q, A> next,
      String key) {
    this.interceptor = interceptor;
    this.call = call;
    this.headers = headers;
    this.next = next;
    this.key = key;
  }

  @Override
  public void onMessage(Q message) {
    request = message;
  }

  @Override
  public void onHalfClose() {
    Q whole = request;
    if (whole == null) {
      call.close(Status.INVALID_ARGUMENT.withDescription("no request"), new Metadata());
      return;
    }
    Held held = interceptor.admit(call, key, bytes(whole));
    if (held == null) {
      return;
    }
    try {
      Context context = Context.current().withValue(IdempotencyInterceptor.CLAIM, held.context());
      begun = Contexts.interceptCall(context, new HeldBackCall<>(call, held), headers, next);
      begun.onReady();
      begun.onMessage(whole);
      begun.onHalfClose();
    } catch (RuntimeException | Error e) {
      held.fail(e);
      throw e;
    }
  }

  private byte[] bytes(Q message) {
    try (InputStream in = call.getMethodDescriptor().streamRequest(message)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client has gone. What is begun goes on: its effect may be half done. */
  @Override
  public void onCancel() {
    if (begun != null) {
      begun.onCancel();
    }
  }

  @Override
  public void onComplete() {
    if (begun != null) {
      begun.onComplete();
    }
  }
}
