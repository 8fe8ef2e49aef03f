// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataRetrievalFailureException;
import org.springframework.jdbc.JdbcUpdateAffectedIncorrectNumberOfRowsException;
import org.springframework.jdbc.core.RowMapper;

/**
 * A column of a row that decides whether the row may change: one statement compares it and changes
 * the row, and only where that changed nothing the column is read. Thread-safe.
 *
 * <p>The reading locks the row. So it sees what is committed now at every level of isolation, or
 * the database says that it cannot; a plain one would see the snapshot of a transaction that may be
 * older than the rival's commit.
 */
final class GuardedColumn {

  private final GuardedTable table;
  private final String column;
  private final String value;
  private final String condition;
  private final List<String> others;
  private volatile @Nullable Text text;

  /**
   * Names the column.
   *
   * @param value what it becomes, and {@code condition} what must be true of it, where {@code %s}
   *     is the column itself
   * @param others the columns that change with it
   */
  GuardedColumn(
      GuardedTable table, String column, String value, String condition, List<String> others) {
    this.table = table;
    this.column = column;
    this.value = value;
    this.condition = condition;
    this.others = others;
    ColumnNames.checkDistinct(
        Stream.of(table.key(), List.of(column), others).flatMap(List::stream));
  }

  /** Checks that there is a value for each of the other columns. */
  void checkCount(@Nullable Object... values) {
    if (values.length != others.size()) {
      throw new IllegalArgumentException(
          "values: were " + values.length + ", must be one for each of " + others);
    }
  }

  /** Returns the number that a row read has; of one that has none nothing can be said. */
  static long number(ResultSet row) throws SQLException {
    long number = row.getLong(1);
    if (row.wasNull()) {
      throw new DataRetrievalFailureException("column: was null, must be a number");
    }
    return number;
  }

  /**
   * Changes the row of a key if its column fulfils the condition.
   *
   * @param id the key
   * @param first what the value of the column needs, and then the values of the other columns
   * @param last what the condition needs
   * @param applied the answer if the row was changed
   * @param current reads the column of a row that was not changed
   * @param missing the answer if there is no row
   */
  <A> A change(
      Object id,
      List<? extends @Nullable Object> first,
      List<?> last,
      A applied,
      RowMapper<A> current,
      A missing) {
    List<?> key = table.keyValues(id);
    List<@Nullable Object> values = new ArrayList<>(first);
    values.addAll(key);
    values.addAll(last);
    return table.run(
        connection -> {
          Text sql = text(connection);
          int changed = table.update(connection, sql.update(), values.toArray());
          if (changed > 1) {
            throw new JdbcUpdateAffectedIncorrectNumberOfRowsException(sql.update(), 1, changed);
          }
          if (changed == 1) {
            return applied;
          }
          A found = table.first(connection, sql.read(), current, key.toArray());
          return found == null ? missing : found;
        });
  }

  private Text text(Connection connection) throws SQLException {
    Text known = text;
    if (known == null) {
      known = text(table.dialect(connection));
      text = known;
    }
    return known;
  }

  private Text text(Dialect dialect) {
    Function<String, String> quoted = name -> GuardedTable.quoted(dialect, name);
    String guard = quoted.apply(column);
    StringBuilder update = new StringBuilder("UPDATE ").append(table.quotedName(dialect));
    update.append(" SET ").append(guard).append(" = ").append(value.replace("%s", guard));
    for (String other : others) {
      update.append(", ").append(quoted.apply(other)).append(" = ?");
    }
    update.append(table.whereKey(dialect));
    update.append(" AND ").append(condition.replace("%s", guard));
    String read =
        "SELECT "
            + guard
            + " FROM "
            + table.quotedName(dialect)
            + table.whereKey(dialect)
            + Dialect.Lock.WAIT.sql();
    return new Text(update.toString(), read);
  }

  /** The two statements. */
  private record Text(String update, String read) {}
}
