// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Delivery;
import io.dedup.claim.Origin;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is asked of the store for a request, whatever stack it came through. Thread-safe.
 *
 * @param options how requests are guarded
 * @param tokens know tokens, null if there are none
 */
record PreparedKeys(HttpOptions options, @Nullable Tokens tokens) {

  /**
   * What a request is about.
   *
   * @param operation how it is guarded
   * @param name of the operation
   * @param method of the request
   * @param route its pattern
   */
  record About(Operation operation, String name, String method, String route) {}

  /** Returns what a request without a key is. */
  static Prepared absent(Operation operation) {
    return operation.required()
        ? refused(Problem.of(ProblemCode.KEY_MISSING), RequestOutcome.MISSING)
        : new Prepared.Unguarded();
  }

  static Prepared tooLarge() {
    return refused(Problem.of(ProblemCode.REQUEST_TOO_LARGE), RequestOutcome.INVALID);
  }

  /** Returns what a request is whose key is none that can be claimed; null if it can be. */
  static @Nullable Prepared refusal(Operation operation, ClientKey key) {
    if (key instanceof ClientKey.Invalid invalid) {
      return refused(Problem.of(ProblemCode.KEY_INVALID, invalid.why()), RequestOutcome.INVALID);
    }
    if (key instanceof ClientKey.Valid) {
      return null;
    }
    // An expression found nothing. If no key is required the client is told that it runs
    // unguarded, for it cannot know.
    return operation.required() ? absent(operation) : new Prepared.Known(new Answer.Bypass());
  }

  /** Returns what a request is whose caller may not use its key; null if it may. */
  static @Nullable Prepared refusal(Operation operation, Caller caller, String key) {
    if (!caller.isAnonymous() || !operation.sharedScope().isEmpty()) {
      return null;
    }
    return switch (operation.anonymous()) {
      case REJECT -> refused(Problem.of(ProblemCode.CALLER_UNKNOWN), RequestOutcome.INVALID);
      case BYPASS -> new Prepared.Known(new Answer.Bypass());
      case ALLOW ->
          key.length() >= AnonymousCallers.KEY_LENGTH_MIN
              ? null
              : refused(
                  Problem.of(
                      ProblemCode.KEY_INVALID,
                      "Of an anonymous caller it must have at least "
                          + AnonymousCallers.KEY_LENGTH_MIN
                          + " characters."),
                  RequestOutcome.INVALID);
    };
  }

  /** Returns what is asked of the store. */
  Prepared ask(About about, String clientKey, Caller caller, Fingerprint fingerprint) {
    Operation operation = about.operation();
    IdempotencyKey key =
        operation.sharedScope().isEmpty()
            ? RequestKey.of(
                options.namespace(),
                caller,
                options.keyPerOperation() ? about.name() : "",
                clientKey)
            : IdempotencyKey.of(operation.sharedScope(), clientKey);
    Delivery delivery =
        Delivery.of(key)
            .withFingerprint(fingerprint)
            .withOrigin(Origin.http(about.method(), about.route()))
            .withLabel(cut(about.name()));
    Tokens known = tokens;
    if (!operation.issuedToken() || known == null) {
      return new Prepared.Ask(delivery, ProblemCode.TOKEN_INVALID);
    }
    return switch (known.check(clientKey, caller, about.name())) {
      case FRESH -> new Prepared.Ask(delivery, ProblemCode.TOKEN_INVALID);
      case ISSUED -> new Prepared.Ask(delivery.asIssuedOnly(), ProblemCode.TOKEN_INVALID);
      // It begins nothing any more, and still answers for what it began.
      case EXPIRED -> new Prepared.Ask(delivery.asIssuedOnly(), ProblemCode.TOKEN_EXPIRED);
      case INVALID -> refused(Problem.of(ProblemCode.TOKEN_INVALID), RequestOutcome.INVALID);
    };
  }

  private static Prepared refused(Problem problem, RequestOutcome outcome) {
    return new Prepared.Known(new Answer.Refuse(problem, outcome));
  }

  private static String cut(String label) {
    return label.length() <= Delivery.LABEL_MAX ? label : label.substring(0, Delivery.LABEL_MAX);
  }
}
