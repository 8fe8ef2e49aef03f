// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * Changes a row only if what comes is newer than what the row has: {@code UPDATE … SET sequence =
 * ?, … WHERE id = ? AND (sequence < ? OR sequence IS NULL)}. So of updates that arrive late, twice
 * or in another order, the newest stays. Thread-safe.
 *
 * <pre>{@code
 * MonotonicGuard prices =
 *     MonotonicGuard.builder(jdbcTemplate).table("price").key("sku").set("amount").build();
 * MonotonicGuard.Answer answer = prices.apply(event.sku(), event.sequence(), event.amount());
 * }</pre>
 *
 * <p>The sequence is a number that the source counts up for each row: a version, an offset, a
 * fencing token. Where a column has none yet (null), everything is newer.
 *
 * <p>It works in the caller's transaction, and what it answers is true once that has committed;
 * without a transaction each change is committed by itself. Whoever lost a race gets the sequence
 * that was read afterwards; nothing is tried again.
 */
public final class MonotonicGuard {

  private final GuardedColumn column;

  private MonotonicGuard(Builder builder, TableName table) {
    this.column =
        new GuardedColumn(
            new GuardedTable(builder.jdbc, table, builder.key),
            builder.sequence,
            "?",
            "(%s < ? OR %s IS NULL)",
            builder.set);
  }

  /**
   * Returns a builder of a guard.
   *
   * @param jdbc reaches the table, with its own time-out and in the transactions of its {@code
   *     DataSource}
   */
  public static Builder builder(JdbcTemplate jdbc) {
    return new Builder(jdbc);
  }

  /** Returns a builder of a guard of a table of {@code dataSource}. */
  public static Builder builder(DataSource dataSource) {
    return new Builder(new JdbcTemplate(dataSource));
  }

  /**
   * Changes the row if {@code sequence} is above its own.
   *
   * @param id the row's key; a {@code List} of values where the key has several columns
   * @param sequence the sequence of what comes
   * @param values of the columns to be set, in the order in which they were named; null sets null
   * @throws IllegalArgumentException if there are not as many values as columns
   * @throws IllegalTransactionStateException if the write would not be part of the caller's
   *     transaction
   * @throws ConcurrencyFailureException if the database decided for another transaction, or the
   *     wait for one is over; a transaction can then only be rolled back, and may be tried again as
   *     a whole
   */
  public Answer apply(Object id, long sequence, @Nullable Object... values) {
    column.checkCount(values);
    List<@Nullable Object> first = new ArrayList<>();
    first.add(sequence);
    first.addAll(Arrays.asList(values));
    return column.change(
        id,
        first,
        List.of(sequence),
        new Applied(),
        (row, number) -> new NotNewer(GuardedColumn.number(row)),
        new Missing());
  }

  /** What became of a change. */
  public sealed interface Answer permits Applied, NotNewer, Missing {

    /** Returns what the function of this case returns. */
    default <R> R fold(
        Function<Applied, R> applied,
        Function<NotNewer, R> notNewer,
        Function<Missing, R> missing) {
      if (this instanceof Applied answer) {
        return applied.apply(answer);
      }
      return this instanceof NotNewer answer
          ? notNewer.apply(answer)
          : missing.apply((Missing) this);
    }
  }

  /** The row was changed. */
  public record Applied() implements Answer {}

  /**
   * The row has this sequence or a newer one, and stays as it is.
   *
   * @param current the row's sequence, read after the attempt; equal to the one that came if that
   *     came twice
   */
  public record NotNewer(long current) implements Answer {}

  /** There is no such row; {@link InsertOnce} makes one. */
  public record Missing() implements Answer {}

  /** Collects the names. */
  public static final class Builder {
    private final JdbcTemplate jdbc;
    private @Nullable TableName table;
    private List<String> key = List.of("id");
    private String sequence = "sequence";
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

    /** Sets the column of the sequence, a number; by default {@code sequence}. */
    public Builder sequence(String column) {
      this.sequence = ColumnNames.of("sequence", column);
      return this;
    }

    /** Sets the columns that change with the sequence; by default none. */
    public Builder set(String... columns) {
      this.set = ColumnNames.of("set", columns);
      return this;
    }

    /**
     * Returns the guard. The database is not asked before it is used.
     *
     * @throws IllegalArgumentException if something is missing, or a column has two uses
     */
    public MonotonicGuard build() {
      return new MonotonicGuard(this, GuardedTable.required(table));
    }
  }
}
