// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Origin;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A whole record as find.lua replies it and merge.lua takes it. */
final class RecordForm {

  private static final int FORMAT_VERSION = 1;
  private static final int START_SHIFT = 3;
  private static final int TAKEN_OVER = 1 << 5;
  private static final int MASK_STATE = 7;
  private static final int MASK_START = 3;

  private RecordForm() {}

  static ByteWriter write(ByteWriter out, ClaimRecord record) {
    int bits =
        record.state().code()
            | record.start().code() << START_SHIFT
            | (record.takenOver() ? TAKEN_OVER : 0);
    out.u8(FORMAT_VERSION).u8(bits).raw(record.claimId().toBytes()).number("token", record.token());
    out.u8(record.fingerprint().algorithm()).i64(record.fingerprint().value());
    out.raw(record.origin().toBytes());
    out.time("updated", record.updated()).time("expires", record.expires());
    out.time("created", record.created()).time("busyUntil", record.busyUntil());
    out.u32(record.attempts()).sized(record.owner());
    out.u8(record.forced().size() * Origin.BYTES);
    record.forced().forEach(origin -> out.raw(origin.toBytes()));
    out.sized(record.error() == null ? "" : "e" + record.error());
    return result(out, record.result());
  }

  /** Writes a result as field {@code r} has it, nothing for none. */
  static ByteWriter result(ByteWriter out, @Nullable StoredResult result) {
    if (result == null) {
      return out;
    }
    byte[] contentType = result.contentType().getBytes(StandardCharsets.US_ASCII);
    return out.u8(contentType.length).raw(contentType).raw(result.bytes());
  }

  static ClaimRecord read(ByteReader in) {
    int version = in.u8();
    if (version != FORMAT_VERSION) {
      throw new StoreCorrupt("format version: was " + version + ", must be " + FORMAT_VERSION);
    }
    int bits = in.u8();
    ClaimId claimId = ClaimId.of(in.raw(ClaimId.BYTES));
    long token = in.number();
    int algorithm = in.u8();
    Fingerprint fingerprint = new Fingerprint(algorithm, in.i64());
    Origin origin = in.origin();
    Instant updated = in.time();
    Instant expires = in.time();
    Instant created = in.time();
    Instant busyUntil = in.time();
    int attempts = in.i32();
    String owner = in.text(in.u16());
    List<Origin> forced = forced(in);
    String error = in.text(in.u16());
    return new ClaimRecord(
        State.of(bits & MASK_STATE),
        claimId,
        token,
        owner,
        busyUntil,
        StartMark.of(bits >> START_SHIFT & MASK_START),
        (bits & TAKEN_OVER) != 0,
        attempts,
        fingerprint,
        origin,
        forced,
        Answers.result(in),
        error.isEmpty() ? null : error.substring(1),
        created,
        updated,
        expires);
  }

  private static List<Origin> forced(ByteReader in) {
    ByteReader origins = new ByteReader(in.raw(in.u8()));
    List<Origin> forced = new ArrayList<>();
    while (origins.hasMore()) {
      forced.add(origins.origin());
    }
    return forced;
  }
}
