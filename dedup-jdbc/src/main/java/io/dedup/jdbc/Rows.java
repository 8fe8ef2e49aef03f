// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** How many rows get into one statement as a table that it can read. */
interface Rows {

  /** Returns the table expression for this many rows, with its columns named. */
  String sql(int rows);

  /**
   * Binds the rows to the parameters from {@code first} on, and returns the number of the next one.
   */
  int bind(PreparedStatement statement, int first, List<Object[]> rows) throws SQLException;

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
    BYTES,
    /** A {@code String}. */
    TEXT,
    /** A {@code Long}. */
    LONG
  }
}
