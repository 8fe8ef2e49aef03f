// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import java.time.Duration;

/** Packs requests as the Lua files document them. */
final class Requests {

  private static final int MUST_BE_ISSUED = 1;
  private static final int FORCE = 2;
  private static final int SLIDE = 4;

  private Requests() {}

  static ByteWriter claim(ClaimRequest request) {
    int flags =
        (request.requireIssued() ? MUST_BE_ISSUED : 0)
            | (request.force() ? FORCE : 0)
            | (request.slide() ? SLIDE : 0);
    ByteWriter out =
        Verb.CLAIM
            .request()
            .duration("lease", request.lease())
            .duration("ttl", request.ttl())
            .number("tokenFloor", request.tokenFloor())
            .limit(request.notAfter())
            .u8(flags)
            .u8(request.start().mark().code())
            .u8(request.onLeaseExpired().code())
            .u8(request.onFailed().code());
    return RecordForm.brought(
        out, request.claimId(), request.fingerprint(), request.origin(), request.owner());
  }

  static ByteWriter settle(SettleRequest request) {
    Settlement settlement = request.settlement();
    if (settlement instanceof Settlement.Start) {
      return settle(request.claim(), 'S', Duration.ZERO, Duration.ZERO);
    }
    if (settlement instanceof Settlement.Renew renew) {
      return settle(request.claim(), 'N', renew.lease(), renew.ttl());
    }
    if (settlement instanceof Settlement.Complete complete) {
      ByteWriter out = settle(request.claim(), 'C', complete.ttl(), Duration.ZERO);
      return RecordForm.result(out, complete.result());
    }
    if (settlement instanceof Settlement.Attach attach) {
      ByteWriter out = settle(request.claim(), 'A', Duration.ZERO, Duration.ZERO);
      return RecordForm.result(out, attach.result());
    }
    if (settlement instanceof Settlement.Fail fail) {
      return settle(request.claim(), 'F', fail.ttl(), fail.backOff()).text(fail.error());
    }
    return settle(request.claim(), 'R', Duration.ZERO, Duration.ZERO);
  }

  private static ByteWriter settle(Claim claim, char kind, Duration first, Duration second) {
    return Verb.SETTLE
        .request()
        .tokenToCompare(claim.token())
        .u8(kind)
        .duration("first", first)
        .duration("second", second)
        .sizedClaimId(claim.id());
  }

  static ByteWriter resolve(long token, Resolution resolution, String note) {
    ByteWriter out = Verb.RESOLVE.request().tokenToCompare(token);
    if (resolution instanceof Resolution.Done done) {
      return RecordForm.result(out.duration("ttl", done.ttl()).sized(note), done.result());
    }
    return out.duration("ttl", Duration.ZERO).sized(note);
  }

  static ByteWriter reopen(String note) {
    return Verb.REOPEN.request().text(note);
  }

  static ByteWriter issue(Duration ttl) {
    return Verb.ISSUE.request().duration("ttl", checked(ttl));
  }

  static ByteWriter extend(Duration ttl) {
    return Verb.EXTEND.request().duration("ttl", checked(ttl));
  }

  static ByteWriter merge(ClaimRecord record) {
    return RecordForm.write(Verb.MERGE.request(), record);
  }

  /** The rule of every ttl, which a completion's is checked by. */
  private static Duration checked(Duration ttl) {
    return new Settlement.Complete(null, ttl).ttl();
  }
}
