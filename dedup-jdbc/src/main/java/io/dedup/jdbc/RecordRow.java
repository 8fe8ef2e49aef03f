// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Origin;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes a record as a row. */
final class RecordRow {

  /** The version of what the columns mean. Rows of another version are neither read nor changed. */
  static final int FORMAT = 1;

  /**
   * The columns of a record, in the order in which they are read and bound. The key comes before
   * them.
   */
  static final List<Rows.Column> COLUMNS =
      List.of(
          new Rows.Column("format", Rows.Kind.LONG),
          new Rows.Column("state", Rows.Kind.LONG),
          new Rows.Column("token", Rows.Kind.LONG),
          new Rows.Column("fp_value", Rows.Kind.LONG),
          new Rows.Column("busy_until", Rows.Kind.LONG),
          new Rows.Column("created", Rows.Kind.LONG),
          new Rows.Column("updated", Rows.Kind.LONG),
          new Rows.Column("expires", Rows.Kind.LONG),
          new Rows.Column("attempts", Rows.Kind.LONG),
          new Rows.Column("start_mark", Rows.Kind.LONG),
          new Rows.Column("taken_over", Rows.Kind.LONG),
          new Rows.Column("fp_algorithm", Rows.Kind.LONG),
          new Rows.Column("claim_id", Rows.Kind.BYTES),
          new Rows.Column("origin", Rows.Kind.BYTES),
          new Rows.Column("forced", Rows.Kind.BYTES),
          new Rows.Column("owner", Rows.Kind.TEXT),
          new Rows.Column("result_type", Rows.Kind.TEXT),
          new Rows.Column("result", Rows.Kind.BYTES),
          new Rows.Column("error", Rows.Kind.TEXT));

  /** The names of the columns. */
  static final List<String> NAMES = COLUMNS.stream().map(Rows.Column::name).toList();

  private RecordRow() {}

  /**
   * Returns the record that begins at column {@code first}.
   *
   * @throws StoreCorrupt if it is of another format, or holds what no record can hold
   */
  static ClaimRecord read(ResultSet row, int first) throws SQLException {
    int format = row.getInt(first);
    if (format != FORMAT) {
      throw new StoreCorrupt("format of a row: was " + format + ", must be " + FORMAT);
    }
    try {
      return new ClaimRecord(
          State.of(row.getInt(first + 1)),
          ClaimId.of(row.getBytes(first + 12)),
          row.getLong(first + 2),
          row.getString(first + 15),
          Micros.instant(row.getLong(first + 4)),
          StartMark.of(row.getInt(first + 9)),
          row.getInt(first + 10) != 0,
          row.getInt(first + 8),
          new Fingerprint(row.getInt(first + 11), row.getLong(first + 3)),
          Origin.of(row.getBytes(first + 13)),
          forced(row.getBytes(first + 14)),
          result(row.getString(first + 16), row.getBytes(first + 17)),
          row.getString(first + 18),
          Micros.instant(row.getLong(first + 5)),
          Micros.instant(row.getLong(first + 6)),
          Micros.instant(row.getLong(first + 7)));
    } catch (IllegalArgumentException e) {
      throw new StoreCorrupt("a row of the table: " + e.getMessage());
    }
  }

  /** Returns the values of the columns, those that are not there as null. */
  static @Nullable Object[] values(ClaimRecord record) {
    StoredResult result = record.result();
    return new @Nullable Object[] {
      (long) FORMAT,
      (long) record.state().code(),
      record.token(),
      record.fingerprint().value(),
      Micros.of(record.busyUntil()),
      Micros.of(record.created()),
      Micros.of(record.updated()),
      Micros.of(record.expires()),
      (long) record.attempts(),
      (long) record.start().code(),
      record.takenOver() ? 1L : 0L,
      (long) record.fingerprint().algorithm(),
      record.claimId().toBytes(),
      record.origin().toBytes(),
      forced(record.forced()),
      record.owner(),
      result == null ? null : result.contentType(),
      result == null ? null : result.bytes(),
      record.error()
    };
  }

  /**
   * Binds the record to the parameters from {@code first} on, and returns the number of the next
   * one.
   */
  static int bind(PreparedStatement statement, int first, ClaimRecord record) throws SQLException {
    @Nullable Object[] values = values(record);
    for (int i = 0; i < values.length; i++) {
      COLUMNS.get(i).kind().bind(statement, first + i, values[i]);
    }
    return first + values.length;
  }

  private static byte @Nullable [] forced(List<Origin> origins) {
    if (origins.isEmpty()) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(origins.size() * Origin.BYTES);
    origins.forEach(origin -> bytes.put(origin.toBytes()));
    return bytes.array();
  }

  private static List<Origin> forced(byte @Nullable [] bytes) {
    if (bytes == null) {
      return List.of();
    }
    if (bytes.length % Origin.BYTES != 0) {
      throw new StoreCorrupt(
          "forced: was " + bytes.length + " bytes, must be times " + Origin.BYTES);
    }
    List<Origin> origins = new ArrayList<>();
    for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
      origins.add(new Origin(rest.getLong(), rest.getLong()));
    }
    return origins;
  }

  private static @Nullable StoredResult result(
      @Nullable String contentType, byte @Nullable [] bytes) {
    if (contentType == null && bytes == null) {
      return null;
    }
    if (contentType == null || bytes == null) {
      throw new StoreCorrupt("result: must have both a content type and bytes, or neither");
    }
    return new StoredResult(contentType, bytes);
  }
}
