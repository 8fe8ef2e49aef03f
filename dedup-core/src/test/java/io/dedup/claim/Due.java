// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Ledger.Standing;
import io.dedup.claim.Setting.Happening;

/**
 * The answer that is due to a claim.
 *
 * @param answer what it must be
 * @param rule the invariant that any other answer breaks
 */
record Due(Class<? extends ClaimAnswer> answer, Invariant rule) {

  private static final Due KEY = new Due(ClaimAnswer.Acquired.class, Invariant.FREE_KEY_IS_GIVEN);
  private static final Due BUSY =
      new Due(ClaimAnswer.InProgress.class, Invariant.LEASE_IS_RESPECTED);

  static Due to(Command claim, Ledger ledger, int now, Setting setting) {
    if (now > claim.notAfter()) {
      return new Due(ClaimAnswer.RequestExpired.class, Invariant.LATE_CLAIM_DOES_NOTHING);
    }
    if (claim.claimId().equals(ledger.newest)) {
      return ledger.standing == Standing.OPEN
          ? new Due(ClaimAnswer.Acquired.class, Invariant.RESEND_SAME_ANSWER)
          : new Due(ClaimAnswer.Fenced.class, Invariant.CLAIM_ID_WORKS_ONCE);
    }
    if (isOfOtherMessage(claim, ledger, setting)) {
      return new Due(ClaimAnswer.Conflict.class, Invariant.OTHER_MESSAGE_CONFLICTS);
    }
    return switch (ledger.standing) {
      case ABSENT ->
          setting.has(Happening.ISSUE)
              ? new Due(ClaimAnswer.NotIssued.class, Invariant.ONLY_ISSUED_KEYS)
              : KEY;
      case ISSUED, FREE -> KEY;
      case OPEN -> open(ledger, now, setting);
      case FAILED -> failed(ledger, now, setting);
      case DONE -> done(claim, ledger, setting);
    };
  }

  private static boolean isOfOtherMessage(Command claim, Ledger ledger, Setting setting) {
    return (ledger.standing == Standing.OPEN || ledger.standing == Standing.DONE)
        && ledger.newest != null
        && Command.message(claim.claimId(), setting) != Command.message(ledger.newest, setting);
  }

  private static Due open(Ledger ledger, int now, Setting setting) {
    if (now < ledger.busyUntil) {
      return BUSY;
    }
    return setting.policy() == OnLeaseExpired.HOLD && ledger.mayHaveStarted()
        ? new Due(ClaimAnswer.InDoubt.class, Invariant.DOUBT_IS_HELD)
        : KEY;
  }

  private static Due failed(Ledger ledger, int now, Setting setting) {
    if (now < ledger.busyUntil) {
      return BUSY;
    }
    return setting.has(Happening.REPORT_FAILURES)
        ? new Due(ClaimAnswer.Failed.class, Invariant.FAILURE_IS_REPORTED)
        : KEY;
  }

  private static Due done(Command claim, Ledger ledger, Setting setting) {
    if (!Command.isForced(claim.claimId(), setting)) {
      return new Due(ClaimAnswer.Completed.class, Invariant.DONE_STAYS_DONE);
    }
    return ledger.isForced(claim.claimId())
        ? new Due(ClaimAnswer.Completed.class, Invariant.ONCE_PER_ORIGIN)
        : KEY;
  }
}
