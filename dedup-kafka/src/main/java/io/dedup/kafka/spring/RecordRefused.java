// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.DeadLetter;

/**
 * A record was not handed to its listener, and trying again does not help. It is never retried: an
 * error handler recovers it, to a dead-letter topic if there is one.
 */
public final class RecordRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final DeadLetter.Reason reason;

  RecordRefused(DeadLetter.Reason reason, String detail) {
    super(reason + ": " + detail);
    this.reason = reason;
  }

  /** Returns why. */
  public DeadLetter.Reason reason() {
    return reason;
  }
}
