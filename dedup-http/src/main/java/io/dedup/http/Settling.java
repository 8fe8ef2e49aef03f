// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Claims;
import io.dedup.Held;
import io.dedup.LeaseLost;
import io.dedup.Outcome;
import io.dedup.ResultCodec;
import io.dedup.claim.StoredResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores what became of a handler, before its answer is sent. Thread-safe. */
final class Settling {

  /**
   * How long a client waits for a store that does not answer. The completion is tried on behind its
   * back for as long as the lease lasts.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

  private static final StoredResponse IN_DOUBT =
      new StoredResponse(StoredResponse.Kind.IN_DOUBT, 500, null, List.of(), new byte[0]);

  private final Claims claims;
  private final HttpOptions options;
  private final ResultCodec<StoredResponse> codec;
  private final AnswerWriter writer;
  private final Told told;

  Settling(
      Claims claims,
      HttpOptions options,
      ResultCodec<StoredResponse> codec,
      AnswerWriter writer,
      Told told) {
    this.claims = claims;
    this.options = options;
    this.codec = codec;
    this.writer = writer;
    this.told = told;
  }

  HttpOptions options() {
    return options;
  }

  AnswerWriter writer() {
    return writer;
  }

  /**
   * Settles the claim of a handler that has returned or thrown.
   *
   * @param failure what it threw, whether or not somebody made a response of it
   * @param thrown whether nobody did
   */
  void settle(
      HandlerContext context,
      RequestExchange.Guarded what,
      @Nullable Throwable failure,
      boolean thrown,
      RequestExchange exchange) {
    Operation operation = what.operation();
    int status = thrown ? 500 : exchange.response().getStatus();
    Settled settled =
        switch (operation.rules().of(status, failure, context.pastNoReturn())) {
          case DONE -> completed(context.held(), kept(exchange.toStored(operation, thrown)));
          case NOT_DONE -> notDone(context.held(), operation, status, failure);
          case IN_DOUBT -> inDoubt(context.held(), operation);
        };
    told.tell(what.name(), settled.outcome());
    // What was streamed has its headers already.
    if (exchange.response().isHeld()) {
      writer.handled(settled.header(), exchange.request(), exchange.response());
    }
  }

  /**
   * What became of a claim.
   *
   * @param outcome for meters
   * @param header for the client
   */
  private record Settled(RequestOutcome outcome, String header) {}

  /**
   * Returns what the store keeps of a response. The effect is done: what cannot be kept must not
   * undo that, and leaves the status.
   */
  private @Nullable StoredResult kept(StoredResponse response) {
    try {
      return codec.encode(response);
    } catch (RuntimeException e) {
      LOG.warn("a response cannot be kept, its request is completed without it", e);
      return StoredResponseForm.INSTANCE.encode(response.withoutBody());
    }
  }

  private Settled completed(Held held, @Nullable StoredResult result) {
    held.complete(result);
    claims.settle(Set.of(held), PATIENCE);
    Outcome<StoredResult> outcome = held.outcome();
    if (outcome instanceof Outcome.Fenced) {
      return new Settled(RequestOutcome.STALE, "executed");
    }
    RequestOutcome known =
        outcome instanceof Outcome.Executed
            ? RequestOutcome.EXECUTED
            : RequestOutcome.INDETERMINATE;
    return new Settled(known, "executed");
  }

  private static Settled notDone(
      Held held, Operation operation, int status, @Nullable Throwable failure) {
    if (failure instanceof LeaseLost) {
      held.fail(failure);
      return new Settled(RequestOutcome.STALE, "released");
    }
    if (operation.failureTtl().isZero()) {
      held.release();
    } else {
      // Neither message nor cause: what they say may be nobody's business who reads the store.
      held.fail(new HandlerFailed(status));
    }
    return new Settled(RequestOutcome.RELEASED, "released");
  }

  /**
   * The effect may be done, so nobody runs it again until somebody has looked; whatever the policy
   * for lost workers is, for this worker was not lost. Where another adapter shares the key, which
   * would take that for done, the lease's rules decide.
   */
  private Settled inDoubt(Held held, Operation operation) {
    if (operation.sharedScope().isEmpty()) {
      completed(held, kept(IN_DOUBT));
    }
    return new Settled(RequestOutcome.INDETERMINATE, ProblemCode.OUTCOME_UNKNOWN.code());
  }

  /**
   * Settles the claim of a handler whose response was on its way before it ended. Its status has
   * been sent and stands, also when the client hung up, or stayed longer than the server waits;
   * what else went wrong leaves the effect in doubt.
   *
   * @param failure what ended it, null if nothing did
   */
  void streamed(
      HandlerContext context,
      RequestExchange.Guarded what,
      @Nullable Throwable failure,
      RequestExchange exchange) {
    Operation operation = what.operation();
    int status = exchange.response().getStatus();
    boolean broken = failure != null && !(failure instanceof IOException);
    ResultRules.Meaning meaning =
        broken
            ? ResultRules.Meaning.IN_DOUBT
            : operation.rules().of(status, null, context.pastNoReturn());
    Settled settled =
        switch (meaning) {
          case DONE -> completed(context.held(), kept(exchange.toStored(operation, false)));
          case NOT_DONE -> notDone(context.held(), operation, status, null);
          case IN_DOUBT -> inDoubt(context.held(), operation);
        };
    told.tell(what.name(), settled.outcome());
  }

  /** The container gave up waiting, and the handler may still be at work. */
  void abandoned(RequestExchange.Guarded what, RequestExchange exchange) {
    told.tell(what.name(), RequestOutcome.INDETERMINATE);
    if (exchange.response().isHeld()) {
      writer.handled(ProblemCode.IN_PROGRESS.code(), exchange.request(), exchange.response());
    }
  }

  /** Says no more than the status. */
  private static final class HandlerFailed extends Exception {
    private static final long serialVersionUID = 1;

    HandlerFailed(int status) {
      super("status " + status, null, false, false);
    }
  }
}
