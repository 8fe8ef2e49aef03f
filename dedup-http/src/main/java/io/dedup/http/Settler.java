// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Held;
import io.dedup.LeaseLost;
import io.dedup.Outcome;
import io.dedup.ResultCodec;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store what became of a handler, whatever stack it was called by. Thread-safe.
 *
 * @param codec writes what is kept of responses
 */
record Settler(ResultCodec<StoredResponse> codec) {

  /**
   * How long a client waits for a store that does not answer. The completion is tried on behind its
   * back for as long as the lease lasts.
   */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

  private static final StoredResponse IN_DOUBT =
      new StoredResponse(StoredResponse.Kind.IN_DOUBT, 500, null, List.of(), new byte[0]);

  /**
   * What became of a handler.
   *
   * @param meaning of its answer
   * @param response makes what may be kept of it
   * @param status of the response
   * @param failure what was thrown, null for nothing
   * @param ttl how long it is kept, null for as long as the operation says
   */
  record End(
      ResultRules.Meaning meaning,
      Supplier<StoredResponse> response,
      int status,
      @Nullable Throwable failure,
      @Nullable Duration ttl) {}

  /**
   * What became of a claim.
   *
   * @param outcome for meters
   * @param header for the client
   */
  record Settled(RequestOutcome outcome, String header) {}

  /**
   * Begins to settle a claim.
   *
   * @return what became of it; null if its completion is on its way, see {@link #completed}
   */
  @Nullable Settled begin(Held held, Operation operation, End end) {
    return switch (end.meaning()) {
      case DONE -> {
        complete(held, kept(end.response().get()), end.ttl());
        yield null;
      }
      case NOT_DONE -> notDone(held, operation, end);
      case IN_DOUBT -> inDoubt(held, operation);
    };
  }

  private static void complete(Held held, @Nullable StoredResult result, @Nullable Duration ttl) {
    if (ttl == null) {
      held.complete(result);
    } else {
      held.complete(result, ttl);
    }
  }

  /** Returns what became of a claim whose completion was waited for long enough. */
  static Settled completed(Held held) {
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

  private Settled notDone(Held held, Operation operation, End end) {
    Throwable failure = end.failure();
    if (failure instanceof LeaseLost) {
      held.fail(failure);
      return new Settled(RequestOutcome.STALE, "released");
    }
    // What the caller can change, such as who he is, is never answered from the store.
    if (operation.failureTtl().isZero() || end.status() < 500) {
      held.release();
    } else if (operation.sharedScope().isEmpty()) {
      // It says done for that short time, so that the answer is there to be repeated.
      complete(held, kept(end.response().get()), operation.failureTtl());
    } else {
      // Another adapter would take that for done. Neither message nor cause: what they say may be
      // nobody's business who reads the store.
      held.fail(new HandlerFailed(end.status()));
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
      complete(held, kept(IN_DOUBT), null);
    } else {
      held.abandon();
    }
    return new Settled(RequestOutcome.INDETERMINATE, ProblemCode.OUTCOME_UNKNOWN.code());
  }

  /** Says no more than the status. */
  private static final class HandlerFailed extends Exception {
    private static final long serialVersionUID = 1;

    HandlerFailed(int status) {
      super("status " + status, null, false, false);
    }
  }
}
