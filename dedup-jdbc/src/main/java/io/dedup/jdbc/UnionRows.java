// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows as {@code SELECT … UNION ALL SELECT …}: for databases that take no arrays. */
record UnionRows(List<Rows.Column> columns, Map<Rows.Kind, String> types) implements Rows {

  @Override
  public String sql(int rows) {
    String one =
        columns.stream()
            .map(column -> "CAST(? AS " + types.get(column.kind()) + ") AS " + column.name())
            .collect(Collectors.joining(", ", "SELECT ", ""));
    return "(" + String.join(" UNION ALL ", Collections.nCopies(rows, one)) + ") a";
  }

  @Override
  public int bind(PreparedStatement statement, int first, List<@Nullable Object[]> rows)
      throws SQLException {
    int i = first;
    for (@Nullable Object[] row : rows) {
      for (int c = 0; c < columns.size(); c++) {
        columns.get(c).kind().bind(statement, i++, row[c]);
      }
    }
    return i;
  }
}
