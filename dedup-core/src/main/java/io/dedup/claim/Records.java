// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.Fingerprint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a record out of another by naming what differs. Not thread-safe. */
final class Records {

  private final ClaimRecord base;
  private State state;
  private ClaimId claimId;
  private long token;
  private String owner;
  private Instant busyUntil;
  private StartMark start;
  private boolean takenOver;
  private int attempts;
  private @Nullable StoredResult result;
  private @Nullable String error;
  private Instant updated;
  private Instant expires;

  private Records(ClaimRecord base) {
    this.base = base;
    this.state = base.state();
    this.claimId = base.claimId();
    this.token = base.token();
    this.owner = base.owner();
    this.busyUntil = base.busyUntil();
    this.start = base.start();
    this.takenOver = base.takenOver();
    this.attempts = base.attempts();
    this.result = base.result();
    this.error = base.error();
    this.updated = base.updated();
    this.expires = base.expires();
  }

  static Records from(ClaimRecord base) {
    return new Records(base);
  }

  static ClaimRecord issued(long token, Instant now, Instant expires) {
    return new ClaimRecord(
        State.ISSUED,
        ClaimId.none(),
        token,
        "",
        now,
        StartMark.NOT_RECORDED,
        false,
        0,
        Fingerprint.none(),
        Origin.none(),
        List.of(),
        null,
        null,
        now,
        now,
        expires);
  }

  Records state(State value) {
    this.state = value;
    return this;
  }

  /** A change of state: the record is busy no longer, unless it says otherwise afterwards. */
  Records changed(Instant now) {
    this.updated = now;
    this.busyUntil = now;
    return this;
  }

  /** An operator's change: no claim holds the record any more, and it says who and why. */
  Records byHand(String note, Instant now) {
    this.claimId = ClaimId.none();
    this.owner = "";
    this.attempts = 0;
    this.takenOver = false;
    this.result = null;
    this.error = StoredText.fit(note, Settlement.Fail.ERROR_MAX);
    return changed(now);
  }

  Records token(long value) {
    this.token = value;
    return this;
  }

  Records busyUntil(Instant value) {
    this.busyUntil = value;
    return this;
  }

  Records start(StartMark value) {
    this.start = value;
    return this;
  }

  Records attempts(int value) {
    this.attempts = value;
    return this;
  }

  Records result(@Nullable StoredResult value) {
    this.result = value;
    return this;
  }

  Records error(@Nullable String value) {
    this.error = value;
    return this;
  }

  Records expires(Instant value) {
    this.expires = value;
    return this;
  }

  ClaimRecord build() {
    return new ClaimRecord(
        state,
        claimId,
        token,
        owner,
        busyUntil,
        start,
        takenOver,
        attempts,
        base.fingerprint(),
        base.origin(),
        base.forced(),
        result,
        error,
        base.created(),
        updated,
        expires);
  }
}
