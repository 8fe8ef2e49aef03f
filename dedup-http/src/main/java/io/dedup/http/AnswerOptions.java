// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How our own answers look.
 *
 * @param inProgressStatus the status while the first request runs: 409, or another of 4xx, or 202
 * @param mismatchStatus the status for a key used with another request: 422, or another of 4xx
 * @param replayedHeader the response header that is true on a replay
 * @param statusHeader the response header that says how a request was treated
 * @param echoKey whether the key is sent back with the answers of handlers
 * @param exposeHeaders whether scripts of other origins may read our headers
 * @param problemBaseUri where problems are explained, null for nowhere
 * @param retryAfterMax the longest wait that is advised to clients
 */
public record AnswerOptions(
    int inProgressStatus,
    int mismatchStatus,
    String replayedHeader,
    String statusHeader,
    boolean echoKey,
    boolean exposeHeaders,
    @Nullable String problemBaseUri,
    Duration retryAfterMax) {

  /** Checks each part. */
  public AnswerOptions {
    Refused.unless4xx("status.mismatch", mismatchStatus);
    if (inProgressStatus != 202) {
      Refused.unless4xx("status.in-progress", inProgressStatus);
    }
    Refused.unlessHeaderName("headers.replayed", replayedHeader);
    Refused.unlessHeaderName("headers.status", statusHeader);
    if (retryAfterMax.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "retry-after-max: was " + retryAfterMax + ", must be at least PT1S");
    }
    if (problemBaseUri != null) {
      Refused.unlessUri("problem-base-uri", problemBaseUri);
    }
  }

  static AnswerOptions defaults() {
    return new AnswerOptions(
        409,
        422,
        "Idempotent-Replayed",
        "Idempotency-Status",
        false,
        true,
        null,
        Duration.ofSeconds(5));
  }

  /** Returns these options with another place where problems are explained. */
  public AnswerOptions withProblemBaseUri(@Nullable String uri) {
    return new AnswerOptions(
        inProgressStatus,
        mismatchStatus,
        replayedHeader,
        statusHeader,
        echoKey,
        exposeHeaders,
        uri,
        retryAfterMax);
  }

  /** Returns these options with other statuses. */
  public AnswerOptions withStatuses(int inProgress, int mismatch) {
    return new AnswerOptions(
        inProgress,
        mismatch,
        replayedHeader,
        statusHeader,
        echoKey,
        exposeHeaders,
        problemBaseUri,
        retryAfterMax);
  }

  /** Returns these options, with the key sent back or not. */
  public AnswerOptions withEchoKey(boolean value) {
    return new AnswerOptions(
        inProgressStatus,
        mismatchStatus,
        replayedHeader,
        statusHeader,
        value,
        exposeHeaders,
        problemBaseUri,
        retryAfterMax);
  }
}
