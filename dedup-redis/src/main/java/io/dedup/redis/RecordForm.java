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

/** A record as Redis keeps it; record.lua says what its bytes are. */
final class RecordForm {

  private static final int FORMAT_VERSION = 2;
  private static final int START_SHIFT = 3;
  private static final int TAKEN_OVER = 1 << 5;
  private static final int MASK_STATE = 7;
  private static final int MASK_START = 3;

  private static final int CREATED = 1;
  private static final int PROGRESS = 2;
  private static final int FORCED = 4;
  private static final int ERROR = 8;
  private static final int RESULT = 16;
  private static final int WIDE = 32;

  private RecordForm() {}

  /** Writes a record in its wide form, which holds any; Redis narrows it. */
  static ByteWriter write(ByteWriter out, ClaimRecord record) {
    int bits =
        record.state().code()
            | record.start().code() << START_SHIFT
            | (record.takenOver() ? TAKEN_OVER : 0);
    int parts =
        (record.forced().isEmpty() ? 0 : FORCED)
            | (record.error() == null ? 0 : ERROR)
            | (record.result() == null ? 0 : RESULT);
    out.u8(FORMAT_VERSION).u8(bits).u8(parts | WIDE | CREATED | PROGRESS);
    out.number("token", record.token());
    out.time("updated", record.updated()).time("expires", record.expires());
    out.time("created", record.created());
    out.time("busyUntil", record.busyUntil()).u32(record.attempts());
    brought(out, record.claimId(), record.fingerprint(), record.origin(), record.owner());
    if (!record.forced().isEmpty()) {
      out.u8(record.forced().size());
      record.forced().forEach(out::origin);
    }
    if (record.error() != null) {
      out.sized(record.error());
    }
    return result(out, record.result());
  }

  /** Writes what a claim brings and a settlement leaves as it is. */
  static ByteWriter brought(
      ByteWriter out, ClaimId id, Fingerprint fingerprint, Origin origin, String owner) {
    out.claimId(id).u8(fingerprint.algorithm());
    if (fingerprint.algorithm() != 0) {
      out.i64(fingerprint.value());
    }
    return out.origin(origin).sized(owner);
  }

  /** Writes a result, nothing for none. */
  static ByteWriter result(ByteWriter out, @Nullable StoredResult result) {
    if (result == null) {
      return out;
    }
    byte[] contentType = result.contentType().getBytes(StandardCharsets.US_ASCII);
    return out.u8(contentType.length).raw(contentType).raw(result.bytes());
  }

  /** Reads a record, which is all that is left. */
  static ClaimRecord read(ByteReader in) {
    int version = in.u8();
    if (version != FORMAT_VERSION) {
      throw new StoreCorrupt("format version: was " + version + ", must be " + FORMAT_VERSION);
    }
    int bits = in.u8();
    int parts = in.u8();
    long token = in.number();
    boolean wide = has(parts, WIDE);
    long updated = wide ? in.number() : token + in.u32();
    long expires = wide ? in.number() : updated + in.u48();
    long created = has(parts, CREATED) ? in.number() : token;
    long busyUntil = has(parts, PROGRESS) ? in.number() : updated;
    int attempts = has(parts, PROGRESS) ? in.i32() : 0;
    ClaimId claimId = in.claimId();
    int algorithm = in.u8();
    Fingerprint fingerprint =
        algorithm == 0 ? Fingerprint.none() : new Fingerprint(algorithm, in.i64());
    Origin origin = in.origin();
    String owner = in.text(in.u16());
    List<Origin> forced = has(parts, FORCED) ? forced(in) : List.of();
    String error = has(parts, ERROR) ? in.text(in.u16()) : null;
    StoredResult result = has(parts, RESULT) ? result(in) : null;
    return new ClaimRecord(
        State.of(bits & MASK_STATE),
        claimId,
        token,
        owner,
        time(busyUntil),
        StartMark.of(bits >> START_SHIFT & MASK_START),
        has(bits, TAKEN_OVER),
        attempts,
        fingerprint,
        origin,
        forced,
        result,
        error,
        time(created),
        time(updated),
        time(expires));
  }

  private static boolean has(int bits, int bit) {
    return (bits & bit) != 0;
  }

  private static Instant time(long micros) {
    return ByteReader.time(micros);
  }

  private static StoredResult result(ByteReader in) {
    byte[] contentType = in.raw(in.u8());
    return new StoredResult(new String(contentType, StandardCharsets.US_ASCII), in.rest());
  }

  private static List<Origin> forced(ByteReader in) {
    int count = in.u8();
    List<Origin> forced = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      forced.add(in.origin());
    }
    return forced;
  }
}
