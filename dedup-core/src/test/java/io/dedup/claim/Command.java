// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Setting.Happening;
import io.dedup.key.Fingerprint;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a worker sends to the store, and what may arrive there again later.
 *
 * @param verb what it asks for
 * @param claimId whose claim it is
 * @param token the claim's token; of a claim itself, the smallest token that it may get
 * @param notAfter the tick after which a claim does nothing, {@link #NO_LIMIT} if there is none
 */
record Command(Verb verb, ClaimId claimId, long token, int notAfter) {

  static final int NO_LIMIT = Integer.MAX_VALUE;

  private static final List<Fingerprint> FINGERPRINTS =
      IntStream.range(0, 3).mapToObj(i -> Fingerprint.raw(new byte[] {(byte) i})).toList();
  private static final List<Origin> ORIGINS =
      IntStream.range(0, 4).mapToObj(i -> Origin.kafka("cluster", "topic", 0, i, 0)).toList();

  static final StoredResult RESULT = new StoredResult("text/plain", new byte[] {1});

  enum Verb {
    CLAIM,
    START,
    RENEW,
    COMPLETE,
    FAIL,
    RELEASE
  }

  boolean isClaim() {
    return verb == Verb.CLAIM;
  }

  /** Claim ids bear the number of their worker, from 1. */
  int worker() {
    return (int) claimId.process() - 1;
  }

  Claim claim() {
    return new Claim(Setting.KEY, claimId, token);
  }

  /** Which message the worker of a claim has; only where their messages differ is it not 0. */
  static int message(ClaimId claimId, Setting setting) {
    return setting.has(Happening.OTHER_MESSAGES) ? (int) claimId.process() - 1 : 0;
  }

  static boolean isForced(ClaimId claimId, Setting setting) {
    return setting.has(Happening.FORCE) && claimId.process() > 1;
  }

  static Origin origin(ClaimId claimId, Setting setting) {
    return ORIGINS.get(setting.has(Happening.FORCE) ? (int) claimId.process() : 0);
  }

  ClaimAnswer claimOn(ClaimStore store, Setting setting) {
    int message = message(claimId, setting);
    ClaimRequest request =
        ClaimRequest.builder(Setting.KEY, "worker", setting.lease(), setting.ttl())
            .claimId(claimId)
            .fingerprint(FINGERPRINTS.get(message))
            .origin(origin(claimId, setting))
            .tokenFloor(token)
            .notAfter(notAfter == NO_LIMIT ? null : Setting.at(notAfter))
            .requireIssued(setting.has(Happening.ISSUE))
            .force(isForced(claimId, setting))
            .slide(setting.has(Happening.SLIDE))
            .start(setting.start())
            .onLeaseExpired(setting.policy())
            .onFailed(setting.has(Happening.REPORT_FAILURES) ? OnFailed.REPORT : OnFailed.RERUN)
            .build();
    return store.claim(List.of(request)).claimed().get(0);
  }

  SettleAnswer settleOn(ClaimStore store, Setting setting) {
    SettleRequest request = new SettleRequest(claim(), settlement(setting));
    return store.settle(List.of(request)).settled().get(0);
  }

  private Settlement settlement(Setting setting) {
    return switch (verb) {
      case START -> new Settlement.Start();
      case RENEW -> new Settlement.Renew(setting.lease(), setting.ttl());
      case COMPLETE -> new Settlement.Complete(RESULT, setting.ttl());
      case FAIL -> new Settlement.Fail("failed", setting.ttl(), Setting.ticks(setting.backOff()));
      case RELEASE -> new Settlement.Release();
      case CLAIM -> throw new IllegalStateException("a claim settles nothing");
    };
  }

  @Override
  public String toString() {
    String limit = notAfter == NO_LIMIT ? "" : ", not after tick " + notAfter;
    return verb + " of " + name(claimId) + (isClaim() ? limit : " with token " + token);
  }

  /** Returns the claim's name in a schedule: the worker's number and the claim's. */
  static String name(ClaimId claimId) {
    return claimId.process() + "." + claimId.sequence();
  }
}
