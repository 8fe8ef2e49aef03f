// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Rows as one array per column: the statement's text is the same for any number of them. */
record ArrayRows(List<Rows.Column> columns) implements Rows {

  @Override
  public String sql(int rows) {
    String arrays =
        columns.stream()
            .map(column -> "?::" + type(column.kind()) + "[]")
            .collect(Collectors.joining(", "));
    String names = columns.stream().map(Rows.Column::name).collect(Collectors.joining(", "));
    return "unnest(" + arrays + ") AS a(" + names + ")";
  }

  @Override
  public int bind(PreparedStatement statement, int first, List<Object[]> rows) throws SQLException {
    for (int c = 0; c < columns.size(); c++) {
      Rows.Kind kind = columns.get(c).kind();
      Object[] values = array(kind, rows.size());
      for (int r = 0; r < values.length; r++) {
        values[r] = rows.get(r)[c];
      }
      statement.setArray(first + c, statement.getConnection().createArrayOf(type(kind), values));
    }
    return first + columns.size();
  }

  private static Object[] array(Rows.Kind kind, int length) {
    return switch (kind) {
      case BYTES -> new byte[length][];
      case TEXT -> new String[length];
      case LONG -> new Long[length];
    };
  }

  private static String type(Rows.Kind kind) {
    return switch (kind) {
      case BYTES -> "bytea";
      case TEXT -> "text";
      case LONG -> "bigint";
    };
  }
}
