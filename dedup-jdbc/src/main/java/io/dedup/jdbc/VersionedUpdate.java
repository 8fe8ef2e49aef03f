// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataRetrievalFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * Changes a row only if it still has the version that the caller has read: {@code UPDATE … SET
 * version = version + 1, … WHERE id = ? AND version = ?}. Thread-safe.
 *
 * <pre>{@code
 * VersionedUpdate accounts =
 *     VersionedUpdate.builder(jdbcTemplate).table("account").set("balance", "note").build();
 * VersionedUpdate.Answer answer = accounts.update(id, seen.version(), newBalance, "rent");
 * }</pre>
 *
 * <p>It works in the caller's transaction, and what it answers is true once that has committed;
 * without a transaction each update is committed by itself. Whoever lost a race gets the version
 * that was read afterwards; nothing is tried again, since what was computed from the old row may be
 * wrong.
 */
public final class VersionedUpdate {

  private final GuardedColumn column;

  private VersionedUpdate(Builder builder, TableName table) {
    this.column =
        new GuardedColumn(
            new GuardedTable(builder.jdbc, table, builder.key),
            builder.version,
            "%s + 1",
            "%s = ?",
            builder.set);
  }

  /**
   * Returns a builder of an update.
   *
   * @param jdbc reaches the table, with its own time-out and in the transactions of its {@code
   *     DataSource}
   */
  public static Builder builder(JdbcTemplate jdbc) {
    return new Builder(jdbc);
  }

  /** Returns a builder of an update of a table of {@code dataSource}. */
  public static Builder builder(DataSource dataSource) {
    return new Builder(new JdbcTemplate(dataSource));
  }

  /**
   * Changes the row if it has this version, and counts the version up.
   *
   * @param id the row's key; a {@code List} of values where the key has several columns
   * @param version the version that {@code values} were computed from
   * @param values of the columns to be set, in the order in which they were named; null sets null
   * @throws IllegalArgumentException if there are not as many values as columns
   * @throws IllegalTransactionStateException if the write would not be part of the caller's
   *     transaction
   * @throws ConcurrencyFailureException if the database decided for another transaction, or the
   *     wait for one is over; a transaction can then only be rolled back, and may be tried again as
   *     a whole
   * @throws DataRetrievalFailureException if the row has no version
   */
  public Answer update(Object id, long version, @Nullable Object... values) {
    column.checkCount(values);
    return column.change(
        id,
        Arrays.asList(values),
        List.of(version),
        new Applied(version + 1),
        (row, number) -> new Stale(GuardedColumn.number(row)),
        new Missing());
  }

  /** What became of an update. */
  public sealed interface Answer permits Applied, Stale, Missing {

    /** Returns what the function of this case returns. */
    default <R> R fold(
        Function<Applied, R> applied, Function<Stale, R> stale, Function<Missing, R> missing) {
      if (this instanceof Applied answer) {
        return applied.apply(answer);
      }
      return this instanceof Stale answer ? stale.apply(answer) : missing.apply((Missing) this);
    }
  }

  /**
   * The row was changed.
   *
   * @param version its version now
   */
  public record Applied(long version) implements Answer {}

  /**
   * The row has another version, and stays as it is.
   *
   * @param current that version, read after the attempt
   */
  public record Stale(long current) implements Answer {}

  /** There is no such row. */
  public record Missing() implements Answer {}

  /** Collects the names. */
  public static final class Builder {
    private final JdbcTemplate jdbc;
    private @Nullable TableName table;
    private List<String> key = List.of("id");
    private String version = "version";
    private List<String> set = List.of();

    private Builder(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    /**
     * Sets the table. All names mean what they would mean unquoted in SQL.
     *
     * @param name {@code table} or {@code schema.table}
     * @throws IllegalArgumentException if it is not such a name
     */
    public Builder table(String name) {
      this.table = TableName.of(name);
      return this;
    }

    /** Sets the columns of a key that is unique; by default {@code id}. */
    public Builder key(String... columns) {
      this.key = ColumnNames.of("key", columns);
      return this;
    }

    /** Sets the column of the version, a number; by default {@code version}. */
    public Builder version(String column) {
      this.version = ColumnNames.of("version", column);
      return this;
    }

    /** Sets the columns that an update changes; by default the version alone. */
    public Builder set(String... columns) {
      this.set = ColumnNames.of("set", columns);
      return this;
    }

    /**
     * Returns the update. The database is not asked before it is used.
     *
     * @throws IllegalArgumentException if something is missing, or a column has two uses
     */
    public VersionedUpdate build() {
      return new VersionedUpdate(this, GuardedTable.required(table));
    }
  }
}
