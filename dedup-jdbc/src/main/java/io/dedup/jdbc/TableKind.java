// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The tables of this library: which script makes one, and what must be true of it. */
enum TableKind {
  /** The records of {@link JdbcClaimStore}. */
  CLAIMS("V1__dedup_claim.sql", JdbcClaimStore.DEFAULT_TABLE, "dedup_key"),
  /** The results of {@link JdbcResultStore}. */
  RESULTS("V2__dedup_result.sql", JdbcResultStore.DEFAULT_TABLE, "result_id");

  /** The columns of results, and those of claims that are of their type. */
  private static final Map<String, String> LIKE =
      Map.of(
          "result_id", "claim_id",
          "created", "created",
          "expires", "expires",
          "format", "format",
          "content_type", "result_type",
          "content", "result");

  private final String script;
  private final String defaultName;
  private final String key;

  TableKind(String script, String defaultName, String key) {
    this.script = script;
    this.defaultName = defaultName;
    this.key = key;
  }

  /** Returns the script's name in the folder of a database. */
  String script() {
    return script;
  }

  /** Returns the table's name in the script. */
  String defaultName() {
    return defaultName;
  }

  /** Returns the column that rows must be unique by. */
  String key() {
    return key;
  }

  /** Returns the columns that the table must have, with their types. */
  Map<String, ColumnType> columnTypes(Dialect dialect) {
    Map<String, ColumnType> ofClaims = dialect.columnTypes();
    if (this == CLAIMS) {
      return ofClaims;
    }
    Map<String, ColumnType> ofResults = new HashMap<>();
    LIKE.forEach(
        (column, like) -> ofResults.put(column, Objects.requireNonNull(ofClaims.get(like))));
    return ofResults;
  }

  /** Checks what else must be true of the table. */
  void check(Connection connection, Dialect dialect, String schema, TableName name)
      throws SQLException {
    // Of PostgreSQL it is asked what ON CONFLICT needs, which results are inserted without.
    if (this == CLAIMS || !(dialect instanceof PostgresDialect)) {
      dialect.checkTable(connection, schema, name);
    }
  }
}
