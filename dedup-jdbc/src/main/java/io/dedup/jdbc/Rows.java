// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many rows get into one statement as a table that it can read. */
interface Rows {

  /** Returns the table expression for this many rows, with its columns named. */
  String sql(int rows);

  /**
   * Binds the rows to the parameters from {@code first} on, and returns the number of the next one.
   */
  int bind(PreparedStatement statement, int first, List<@Nullable Object[]> rows)
      throws SQLException;

  /**
   * A column of such a table.
   *
   * @param name its name
   * @param kind what it holds
   */
  record Column(String name, Kind kind) {}

  /** What a column holds. */
  enum Kind {
    /** A {@code byte[]}. */
    BYTES(Types.VARBINARY),
    /** A {@code String}. */
    TEXT(Types.VARCHAR),
    /** A {@code Long}. */
    LONG(Types.BIGINT);

    private final int type;

    Kind(int type) {
      this.type = type;
    }

    /** Binds a value of this kind, or null. */
    void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
      if (value == null) {
        statement.setNull(index, type);
      } else if (value instanceof byte[] bytes) {
        statement.setBytes(index, bytes);
      } else if (value instanceof String text) {
        statement.setString(index, text);
      } else {
        statement.setLong(index, (Long) value);
      }
    }
  }
}
