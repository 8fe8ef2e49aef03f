// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** Why a request was not handed to its handler, or its answer not repeated. */
enum ProblemCode {
  KEY_MISSING(
      "key-missing",
      400,
      "Idempotency-Key is missing",
      "This operation needs a key: a text that is new for each operation and the same when it is"
          + " sent again.",
      KeyAction.SEND_KEY),
  KEY_INVALID(
      "key-invalid",
      400,
      "Idempotency-Key is invalid",
      "The key is not acceptable.",
      KeyAction.FIX_KEY),
  CALLER_UNKNOWN(
      "caller-unknown",
      400,
      "The caller is unknown",
      "This operation takes a key only from a caller who is known.",
      KeyAction.FIX_REQUEST),
  KEY_REUSED(
      "key-reused",
      422,
      "Idempotency-Key is already used",
      "This key was first used with a different request. Send a new key for a new operation.",
      KeyAction.USE_NEW_KEY),
  IN_PROGRESS(
      "in-progress",
      409,
      "A request is outstanding for this Idempotency-Key",
      "The first request with this key is not finished. Send it again later, with the same key.",
      KeyAction.RETRY_SAME_KEY),
  OUTCOME_UNKNOWN(
      "outcome-unknown",
      409,
      "The outcome of the first request is unknown",
      "A request with this key was begun, and it is not known whether it took effect. Find out"
          + " before you send another.",
      KeyAction.RECONCILE),
  NOT_REPLAYABLE(
      "completed-not-replayable",
      409,
      "The request was completed before",
      "A request with this key took effect, and its response cannot be repeated.",
      KeyAction.FETCH_RESULT),
  REQUEST_TOO_LARGE(
      "request-too-large",
      413,
      "The request is too large",
      "The body is larger than this operation takes with a key.",
      KeyAction.FIX_REQUEST),
  STORE_UNAVAILABLE(
      "store-unavailable",
      503,
      "Requests cannot be told apart at the moment",
      "Nothing was done. Send it again later, with the same key.",
      KeyAction.RETRY_SAME_KEY),
  TOKEN_INVALID(
      "token-invalid",
      400,
      "The token is invalid",
      "The key is not a token that was issued for this operation and caller.",
      KeyAction.USE_NEW_KEY),
  TOKEN_EXPIRED(
      "token-expired",
      400,
      "The token is expired",
      "The token was not used in time. Ask for a new one.",
      KeyAction.USE_NEW_KEY);

  /** What a client does with its key next. */
  enum KeyAction {
    SEND_KEY,
    FIX_KEY,
    FIX_REQUEST,
    USE_NEW_KEY,
    RETRY_SAME_KEY,
    RECONCILE,
    FETCH_RESULT
  }

  private final String code;
  private final int status;
  private final String title;
  private final String detail;
  private final KeyAction keyAction;

  ProblemCode(String code, int status, String title, String detail, KeyAction keyAction) {
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.keyAction = keyAction;
  }

  String code() {
    return code;
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  String detail() {
    return detail;
  }

  KeyAction keyAction() {
    return keyAction;
  }

  /** Whether the same request with the same key may be sent again as it is. */
  boolean retryable() {
    return keyAction == KeyAction.RETRY_SAME_KEY;
  }
}
