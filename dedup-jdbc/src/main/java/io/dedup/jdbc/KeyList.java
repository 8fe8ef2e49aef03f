// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys as {@code (?, ?, …)}. The last one is repeated up to the next power of two, so that there
 * are few different statements.
 */
record KeyList() implements Rows {

  @Override
  public String sql(int rows) {
    return "(?" + ", ?".repeat(padded(rows) - 1) + ")";
  }

  @Override
  public int bind(PreparedStatement statement, int first, List<@Nullable Object[]> rows)
      throws SQLException {
    int last = rows.size() - 1;
    int padded = padded(rows.size());
    for (int i = 0; i < padded; i++) {
      statement.setBytes(first + i, (byte[]) rows.get(Math.min(i, last))[0]);
    }
    return first + padded;
  }

  private static int padded(int rows) {
    int power = Integer.highestOneBit(rows);
    return power == rows ? rows : power << 1;
  }
}
