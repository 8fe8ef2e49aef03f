// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.grpc;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Claims;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.claim.Origin;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets each unary call act once, by the key in its metadata. Thread-safe.
 *
 * <p>The call is claimed when its request is there, so that a key that is used for another request
 * is noticed; its response is held back until its completion is stored. A repeated call gets the
 * first one's response, and the method is not called.
 *
 * <p>Keys are those of a method. Where callers must not see each other's responses, the caller's
 * name belongs into the scope, too.
 */
final class IdempotencyInterceptor implements ServerInterceptor {

  /** Where a client puts the key: the same when it calls again, and new for each operation. */
  static final Metadata.Key<String> KEY =
      Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER);

  /** Tells a client that the response is the first call's. */
  static final Metadata.Key<String> REPLAYED =
      Metadata.Key.of("idempotent-replayed", Metadata.ASCII_STRING_MARSHALLER);

  /** What a method may know of its claim. */
  static final Context.Key<DedupContext> CLAIM = Context.key("dedup-claim");

  static final String CONTENT_TYPE = "application/grpc";

  private final Deduplicator deduplicator;

  IdempotencyInterceptor(Deduplicator deduplicator) {
    this.deduplicator = deduplicator;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (call.getMethodDescriptor().getType() != MethodDescriptor.MethodType.UNARY) {
      // A stream has no single response to keep.
      return next.startCall(call, headers);
    }
    String key = headers.get(KEY);
    if (key == null || key.isBlank()) {
      return refused(call, Status.INVALID_ARGUMENT.withDescription("idempotency-key is missing"));
    }
    call.request(2);
    return new ClaimedWithRequest<>(this, call, headers, next, key);
  }

  private static <Q, A> ServerCall.Listener<Q> refused(ServerCall<Q, A> call, Status status) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /**
   * Claims the key, and answers the call unless it is to run.
   *
   * @return the claim if it is to run, null if the call is answered
   */
  <Q, A> @Nullable Held admit(ServerCall<Q, A> call, String key, byte[] request) {
    String method = call.getMethodDescriptor().getFullMethodName();
    Delivery delivery =
        Delivery.of(IdempotencyKey.of("grpc:" + method, key))
            .withOrigin(Origin.call(method))
            .withFingerprint(Fingerprint.raw(request))
            .withLabel(method);
    try {
      Claims claims = deduplicator.claims();
      Ask ask = new Ask(delivery, deduplicator.policy());
      Claimed claimed = claims.claim(List.of(ask)).get(0);
      Held held = claimed instanceof Claimed.Acquired acquired ? acquired.held() : null;
      Outcome<StoredResult> instead = held == null ? outcome(claimed) : held.start();
      if (instead == null) {
        return held;
      }
      claims.decided(ask, instead);
      answer(call, instead);
    } catch (StoreException e) {
      call.close(
          Status.UNAVAILABLE.withDescription("call again with the same key"), new Metadata());
    }
    return null;
  }

  private static Outcome<StoredResult> outcome(Claimed claimed) {
    if (claimed instanceof Claimed.Unreadable unreadable) {
      throw unreadable.cause();
    }
    return claimed instanceof Claimed.Answered answered
        ? answered.outcome()
        : new Outcome.InProgress<>("", Duration.ZERO);
  }

  private static <Q, A> void answer(ServerCall<Q, A> call, Outcome<StoredResult> outcome) {
    if (outcome instanceof Outcome.Duplicate<StoredResult> done) {
      replay(call, done.value());
      return;
    }
    Status status =
        outcome instanceof Outcome.Conflict
            ? Status.FAILED_PRECONDITION.withDescription("the key was used for another request")
            : Status.ABORTED.withDescription("in progress: call again with the same key");
    call.close(status, new Metadata());
  }

  private static <Q, A> void replay(ServerCall<Q, A> call, @Nullable StoredResult stored) {
    if (stored == null) {
      Status gone = Status.DATA_LOSS.withDescription("done, and its response was not kept");
      call.close(gone, new Metadata());
      return;
    }
    Metadata headers = new Metadata();
    headers.put(REPLAYED, "true");
    byte[] bytes = stored.bytesOf(CONTENT_TYPE);
    call.sendHeaders(headers);
    call.sendMessage(call.getMethodDescriptor().parseResponse(new ByteArrayInputStream(bytes)));
    call.close(Status.OK, new Metadata());
  }
}
