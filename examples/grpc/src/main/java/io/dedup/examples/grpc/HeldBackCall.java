// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.grpc;

import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.claim.StoredResult;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Holds the response back until its completion is stored: a client that is told of an effect can
 * rely on that its key is done.
 */
final class HeldBackCall<Q, A> extends SimpleForwardingServerCall<Q, A> {

  private final Held held;
  private @Nullable Metadata headers;
  private @Nullable A response;

  HeldBackCall(ServerCall<Q, A> call, Held held) {
    super(call);
    this.held = held;
  }

  /** The request is here already. */
  @Override
  public void request(int messages) {}

  @Override
  public void sendHeaders(Metadata ownHeaders) {
    headers = ownHeaders;
  }

  @Override
  public void sendMessage(A message) {
    response = message;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    A whole = response;
    if (!status.isOk() || whole == null) {
      // Nothing was done: the next call with the key runs.
      held.fail(status.asException(trailers));
      super.close(status, trailers);
      return;
    }
    Outcome<StoredResult> outcome =
        held.completeNow(new StoredResult(IdempotencyInterceptor.CONTENT_TYPE, bytes(whole)));
    if (outcome instanceof Outcome.Executed) {
      super.sendHeaders(headers == null ? new Metadata() : headers);
      super.sendMessage(whole);
      super.close(status, trailers);
    } else {
      // Done, and it is not known whether that is stored; or another has taken over.
      super.close(Status.ABORTED.withDescription("call again with the same key"), new Metadata());
    }
  }

  private byte[] bytes(A message) {
    try (InputStream in = getMethodDescriptor().streamResponse(message)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
