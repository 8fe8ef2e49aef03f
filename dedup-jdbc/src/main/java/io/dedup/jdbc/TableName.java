// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table, checked: the one thing of a configuration that has to become part of a
 * statement.
 *
 * <p>A name means what it would mean unquoted in SQL: the database folds its case as usual. Quoted
 * names are refused.
 *
 * @param schema the schema, null for the one the connection works in
 * @param table the table
 */
record TableName(@Nullable String schema, String table) {

  /** The longest part, in characters: PostgreSQL cuts longer ones silently. */
  static final int PART_MAX = 63;

  private static final Pattern PART = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  /**
   * Returns the name that {@code text} is.
   *
   * @throws IllegalArgumentException if it is not {@code table} or {@code schema.table} of plain
   *     identifiers
   */
  static TableName of(String text) {
    int dot = text.indexOf('.');
    TableName name =
        dot < 0
            ? new TableName(null, text)
            : new TableName(text.substring(0, dot), text.substring(dot + 1));
    boolean schemaFits = name.schema == null || PART.matcher(name.schema).matches();
    if (!schemaFits || !PART.matcher(name.table).matches()) {
      throw new IllegalArgumentException(
          "table: was '"
              + text
              + "', must be table or schema.table, each of at most "
              + PART_MAX
              + " ASCII letters, digits and underscores, not beginning with a digit, without quotes");
    }
    return name;
  }

  /** Returns the name with each part changed, and the parts joined by a dot. */
  String map(UnaryOperator<String> part) {
    return schema == null ? part.apply(table) : part.apply(schema) + "." + part.apply(table);
  }

  @Override
  public String toString() {
    return map(part -> part);
  }
}
