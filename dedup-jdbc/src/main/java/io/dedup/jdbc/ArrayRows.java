// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows as one array per column: the statement's text is the same for any number of them.
 *
 * @param columns the columns
 * @param types what the database calls an element of each kind
 * @param array what it calls an array, after the name of its elements
 */
record ArrayRows(List<Rows.Column> columns, Map<Rows.Kind, String> types, String array)
    implements Rows {

  @Override
  public String sql(int rows) {
    String arrays =
        columns.stream()
            .map(column -> "CAST(? AS " + type(column.kind()) + array + ")")
            .collect(Collectors.joining(", "));
    String names = columns.stream().map(Rows.Column::name).collect(Collectors.joining(", "));
    return "unnest(" + arrays + ") AS a(" + names + ")";
  }

  @Override
  public int bind(PreparedStatement statement, int first, List<@Nullable Object[]> rows)
      throws SQLException {
    for (int c = 0; c < columns.size(); c++) {
      Rows.Kind kind = columns.get(c).kind();
      @Nullable Object[] values = empty(kind, rows.size());
      for (int r = 0; r < values.length; r++) {
        values[r] = rows.get(r)[c];
      }
      statement.setArray(first + c, statement.getConnection().createArrayOf(type(kind), values));
    }
    return first + columns.size();
  }

  private String type(Rows.Kind kind) {
    return Objects.requireNonNull(types.get(kind));
  }

  private static @Nullable Object[] empty(Rows.Kind kind, int length) {
    return switch (kind) {
      case BYTES -> new byte[length][];
      case TEXT -> new String[length];
      case LONG -> new Long[length];
    };
  }
}
