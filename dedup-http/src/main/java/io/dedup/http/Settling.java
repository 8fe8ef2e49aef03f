// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Claims;
import io.dedup.Held;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores what became of a handler, before its answer is sent. Thread-safe. */
final class Settling {

  private final Claims claims;
  private final HttpOptions options;
  private final Settler settler;
  private final AnswerWriter writer;
  private final Told told;
  private final GivenUp givenUp;

  Settling(
      Claims claims,
      HttpOptions options,
      Settler settler,
      AnswerWriter writer,
      Told told,
      GivenUp givenUp) {
    this.claims = claims;
    this.options = options;
    this.settler = settler;
    this.writer = writer;
    this.told = told;
    this.givenUp = givenUp;
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
    Settler.End end =
        new Settler.End(
            operation.rules().of(status, failure, context.pastNoReturn()),
            () -> exchange.toStored(operation, thrown),
            status,
            failure,
            exchange.response().policy().ttl());
    Settler.Settled settled = settled(context.held(), operation, end);
    told.tell(what.name(), settled.outcome());
    // What was streamed has its headers already.
    if (exchange.response().isHeld()) {
      writer.handled(settled.header(), exchange.request(), exchange.response());
    }
  }

  private Settler.Settled settled(Held held, Operation operation, Settler.End end) {
    Settler.Settled settled = settler.begin(held, operation, end);
    claims.settle(Set.of(held), Settler.PATIENCE);
    return settled == null ? Settler.completed(held) : settled;
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
    Settler.End end =
        new Settler.End(
            meaning,
            () -> exchange.toStored(operation, false),
            status,
            null,
            exchange.response().policy().ttl());
    Settler.Settled settled = settled(context.held(), operation, end);
    told.tell(what.name(), settled.outcome());
  }

  /** The container gave up waiting, and the handler may still be at work. */
  void abandoned(HandlerContext context, RequestExchange.Guarded what, RequestExchange exchange) {
    givenUp.add(context.held(), what.operation());
    told.tell(what.name(), RequestOutcome.INDETERMINATE);
    if (exchange.response().isHeld()) {
      writer.handled(ProblemCode.IN_PROGRESS.code(), exchange.request(), exchange.response());
    }
  }
}
