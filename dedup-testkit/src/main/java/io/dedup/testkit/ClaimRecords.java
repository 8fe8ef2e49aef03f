// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimRecord;

/** Copies of records that differ in one field. */
final class ClaimRecords {

  private ClaimRecords() {}

  static ClaimRecord withToken(ClaimRecord record, long token) {
    return new ClaimRecord(
        record.state(),
        record.claimId(),
        token,
        record.owner(),
        record.busyUntil(),
        record.start(),
        record.takenOver(),
        record.attempts(),
        record.fingerprint(),
        record.origin(),
        record.forced(),
        record.result(),
        record.error(),
        record.created(),
        record.updated(),
        record.expires());
  }
}
