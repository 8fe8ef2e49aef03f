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
import java.sql.Types;
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
  static final List<String> COLUMNS =
      List.of(
          "format",
          "state",
          "token",
          "fp_value",
          "busy_until",
          "created",
          "updated",
          "expires",
          "attempts",
          "start_mark",
          "taken_over",
          "fp_algorithm",
          "claim_id",
          "origin",
          "forced",
          "owner",
          "result_type",
          "result",
          "error");

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

  /**
   * Binds the record to the parameters from {@code first} on, and returns the number of the next
   * one.
   */
  static int bind(PreparedStatement statement, int first, ClaimRecord record) throws SQLException {
    int i = first;
    statement.setInt(i++, FORMAT);
    statement.setInt(i++, record.state().code());
    statement.setLong(i++, record.token());
    statement.setLong(i++, record.fingerprint().value());
    statement.setLong(i++, Micros.of(record.busyUntil()));
    statement.setLong(i++, Micros.of(record.created()));
    statement.setLong(i++, Micros.of(record.updated()));
    statement.setLong(i++, Micros.of(record.expires()));
    statement.setInt(i++, record.attempts());
    statement.setInt(i++, record.start().code());
    statement.setInt(i++, record.takenOver() ? 1 : 0);
    statement.setInt(i++, record.fingerprint().algorithm());
    statement.setBytes(i++, record.claimId().toBytes());
    statement.setBytes(i++, record.origin().toBytes());
    bindBytes(statement, i++, forced(record.forced()));
    statement.setString(i++, record.owner());
    StoredResult result = record.result();
    bindText(statement, i++, result == null ? null : result.contentType());
    bindBytes(statement, i++, result == null ? null : result.bytes());
    bindText(statement, i++, record.error());
    return i;
  }

  private static void bindText(PreparedStatement statement, int index, @Nullable String value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.VARCHAR);
    } else {
      statement.setString(index, value);
    }
  }

  private static void bindBytes(PreparedStatement statement, int index, byte @Nullable [] value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.VARBINARY);
    } else {
      statement.setBytes(index, value);
    }
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
