// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Origin;

/** Why the effect of a delivery was done already. */
public enum DuplicateReason {
  /** The same record was delivered again. */
  REDELIVERY,
  /** Another record has the same key. */
  OTHER_RECORD,
  /** A client sent its request again. */
  HTTP_RETRY,
  /** A probe found the effect of a lost worker done. */
  PROBED,
  /** It is not known where one of the two came from. */
  UNKNOWN;

  static DuplicateReason of(Origin delivery, Origin done) {
    if (delivery.isHttp()) {
      return HTTP_RETRY;
    }
    if (!delivery.isKafka() || !done.isKafka()) {
      return UNKNOWN;
    }
    return delivery.sameRecordAs(done) ? REDELIVERY : OTHER_RECORD;
  }
}
