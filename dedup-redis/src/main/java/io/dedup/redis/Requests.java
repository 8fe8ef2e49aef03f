// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

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
    return Verb.CLAIM
        .request()
        .raw(request.claimId().toBytes())
        .u8(request.fingerprint().algorithm())
        .i64(request.fingerprint().value())
        .raw(request.origin().toBytes())
        .duration("lease", request.lease())
        .duration("ttl", request.ttl())
        .number("tokenFloor", request.tokenFloor())
        .limit(request.notAfter())
        .u8(flags)
        .u8(request.start().mark().code())
        .u8(request.onLeaseExpired().code())
        .u8(request.onFailed().code())
        .text(request.owner());
  }

  static ByteWriter settle(SettleRequest request) {
    ByteWriter out = Verb.SETTLE.request();
    out.raw(request.claim().id().toBytes()).tokenToCompare(request.claim().token());
    Settlement settlement = request.settlement();
    if (settlement instanceof Settlement.Start) {
      return kind(out, 'S', Duration.ZERO, Duration.ZERO);
    }
    if (settlement instanceof Settlement.Renew renew) {
      return kind(out, 'N', renew.lease(), renew.ttl());
    }
    if (settlement instanceof Settlement.Complete complete) {
      return RecordForm.result(kind(out, 'C', complete.ttl(), Duration.ZERO), complete.result());
    }
    if (settlement instanceof Settlement.Attach attach) {
      return RecordForm.result(kind(out, 'A', Duration.ZERO, Duration.ZERO), attach.result());
    }
    if (settlement instanceof Settlement.Fail fail) {
      return kind(out, 'F', fail.ttl(), fail.backOff()).text(fail.error());
    }
    return kind(out, 'R', Duration.ZERO, Duration.ZERO);
  }

  private static ByteWriter kind(ByteWriter out, char kind, Duration first, Duration second) {
    return out.u8(kind).duration("first", first).duration("second", second);
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
