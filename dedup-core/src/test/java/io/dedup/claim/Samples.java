// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Requests and records to try the table with: what others did, and what I ask for now. */
final class Samples {

  static final TransitionTable TABLE = TransitionTable.rules();
  static final IdempotencyKey KEY = IdempotencyKey.of("orders", "17");

  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration TTL = Duration.ofDays(7);

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123456Z");

  /** What was claimed then is busy until {@link #NOW} plus twenty seconds. */
  static final Instant JUST_BEFORE = NOW.minusSeconds(10);

  /** A lease of then has been over for thirty seconds. */
  static final Instant LONG_BEFORE = NOW.minusSeconds(60);

  static final ClaimId MINE = new ClaimId(1, 1);
  static final ClaimId OTHERS = new ClaimId(2, 1);
  static final Fingerprint BODY = Fingerprint.raw("body".getBytes(StandardCharsets.UTF_8));
  static final Fingerprint OTHER_BODY = Fingerprint.raw("other".getBytes(StandardCharsets.UTF_8));
  static final Origin HERE = Origin.kafka("cluster", "topic", 1, 10, 0);
  static final Origin THERE = Origin.kafka("cluster", "topic", 2, 20, 0);
  static final StoredResult RESULT =
      new StoredResult("text/plain", "result".getBytes(StandardCharsets.UTF_8));
  static final Settlement DONE = new Settlement.Complete(RESULT, TTL);
  static final Settlement FAILED = new Settlement.Fail("no", TTL, Duration.ZERO);
  static final Settlement RELEASED = new Settlement.Release();

  private Samples() {}

  static ClaimRequest.Builder mine() {
    return ClaimRequest.builder(KEY, "me", LEASE, TTL).claimId(MINE).fingerprint(BODY).origin(HERE);
  }

  static ClaimRequest.Builder others() {
    return ClaimRequest.builder(KEY, "other", LEASE, TTL)
        .claimId(OTHERS)
        .fingerprint(BODY)
        .origin(THERE);
  }

  /** Returns the record of a key that nobody had and others claimed. */
  static ClaimRecord othersClaimed(Instant when) {
    return claimed(null, others().build(), when);
  }

  static ClaimRecord othersClaimed(Instant when, ClaimStart start) {
    return claimed(null, others().start(start).build(), when);
  }

  static ClaimRecord othersSettled(Settlement settlement, Instant when) {
    return settled(othersClaimed(when), settlement, when);
  }

  static ClaimRecord claimed(@Nullable ClaimRecord found, ClaimRequest request, Instant when) {
    return record(TABLE.claim(found, request, when));
  }

  static ClaimRecord settled(ClaimRecord found, Settlement settlement, Instant when) {
    return record(TABLE.settle(found, new SettleRequest(holder(found), settlement), when));
  }

  static ClaimRecord issued(Instant when) {
    return record(TABLE.issue(null, TTL, when));
  }

  /** Returns the claim that the record is held by. */
  static Claim holder(ClaimRecord record) {
    return new Claim(KEY, record.claimId(), record.token());
  }

  static ClaimRecord record(Transition<?> transition) {
    ClaimRecord record = transition.record();
    if (record == null) {
      throw new IllegalStateException("changed nothing: " + transition.answer());
    }
    return record;
  }

  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
