// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.core.ColumnMapRowMapper;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * Inserts a row unless there is one with its key, and returns the one that is there then.
 * Thread-safe.
 *
 * <pre>{@code
 * InsertOnce<Long> payments =
 *     InsertOnce.builder(jdbcTemplate).table("payment")
 *         .key("order_id")               // what a unique constraint is on
 *         .columns("amount", "currency") // what else is inserted
 *         .returning("id")
 *         .build((row, number) -> row.getLong("id"));
 * InsertOnce.Answer<Long> answer = payments.insert(orderId, amount, "EUR");
 * }</pre>
 *
 * <p>It works in the caller's transaction, and what it answers is true once that has committed;
 * without a transaction each insert is committed by itself. The row answered is locked until the
 * transaction ends, and a rival that inserted the same key and has not committed is waited for. On
 * PostgreSQL and MariaDB no statement fails because the key is there, so the transaction goes on.
 * (H2 has no such statement: where two insert a key at the same moment, an error of one of them is
 * caught, after which its transaction goes on there.)
 *
 * <p>A key that another unique constraint of the table refuses is a {@link DuplicateKeyException}.
 * As with any insert, the numbers that the database deals out have gaps; and on MariaDB a trigger
 * for updates sees an update that changes nothing when the row is there, and {@code
 * LAST_INSERT_ID()} has then a value of ours.
 *
 * @param <T> what a row is read as
 */
public final class InsertOnce<T> {

  /** A row may be in the way and then be gone, once. */
  private static final int ATTEMPTS_MAX = 2;

  private final GuardedTable table;
  private final List<String> columns;
  private final List<String> returning;
  private final RowMapper<T> mapper;
  private volatile @Nullable Insertion insertion;

  private InsertOnce(Builder builder, TableName name, RowMapper<T> mapper) {
    this.table = new GuardedTable(builder.jdbc, name, builder.key);
    this.columns = Stream.concat(builder.key.stream(), builder.columns.stream()).toList();
    this.returning = builder.returning.isEmpty() ? builder.key : builder.returning;
    this.mapper = mapper;
    ColumnNames.checkDistinct(columns.stream());
    ColumnNames.checkDistinct(returning.stream());
  }

  /**
   * Returns a builder of an insert.
   *
   * @param jdbc reaches the table, with its own time-out and in the transactions of its {@code
   *     DataSource}
   */
  public static Builder builder(JdbcTemplate jdbc) {
    return new Builder(jdbc);
  }

  /** Returns a builder of an insert into a table of {@code dataSource}. */
  public static Builder builder(DataSource dataSource) {
    return new Builder(new JdbcTemplate(dataSource));
  }

  /**
   * Inserts the row if there is none with its key.
   *
   * @param values of the key, and then of the other columns, in the order in which they were named.
   *     Those of the key are not null
   * @throws IllegalArgumentException if there are not as many values as columns, or the key has a
   *     null
   * @throws IllegalTransactionStateException if the write would not be part of the caller's
   *     transaction
   * @throws ConcurrencyFailureException if the database decided for another transaction, or the
   *     wait for one is over; a transaction can then only be rolled back, and may be tried again as
   *     a whole
   * @throws DuplicateKeyException if another unique constraint is in the way
   * @throws InvalidDataAccessResourceUsageException if no unique constraint is on exactly the key
   */
  public Answer<T> insert(@Nullable Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          "values: were " + values.length + ", must be one for each of " + columns);
    }
    Object[] key = Arrays.copyOf(values, table.key().size());
    table.requireValues(Arrays.asList(key));
    return table.run(
        connection -> {
          Insertion once = insertion(connection);
          for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            Answer<T> answer = once.attempt(connection, values, key, mapper);
            if (answer != null) {
              return answer;
            }
          }
          throw new DuplicateKeyException(
              "table "
                  + table.name()
                  + ": a row was in the way that has another key, or that comes and goes");
        });
  }

  private Insertion insertion(Connection connection) throws SQLException {
    Insertion known = insertion;
    if (known == null) {
      known = Insertion.of(table, columns, returning, connection);
      insertion = known;
    }
    return known;
  }

  /**
   * What became of an insert.
   *
   * @param <T> what a row is read as
   */
  public sealed interface Answer<T> permits Inserted, Found {

    /** Returns the row that is there now, whoever inserted it. */
    T row();

    /** Returns what the function of this case returns. */
    default <R> R fold(Function<Inserted<T>, R> inserted, Function<Found<T>, R> found) {
      return this instanceof Inserted<T> answer
          ? inserted.apply(answer)
          : found.apply((Found<T>) this);
    }
  }

  /**
   * This call inserted the row; of concurrent callers, it alone did.
   *
   * @param row the row
   */
  public record Inserted<T>(T row) implements Answer<T> {}

  /**
   * There was a row with this key, and it was left as it is.
   *
   * @param row the row that is there
   */
  public record Found<T>(T row) implements Answer<T> {}

  /** Collects the names. */
  public static final class Builder {
    private final JdbcTemplate jdbc;
    private @Nullable TableName table;
    private List<String> key = List.of("id");
    private List<String> columns = List.of();
    private List<String> returning = List.of();

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

    /** Sets the columns that a unique constraint is on, exactly; by default {@code id}. */
    public Builder key(String... names) {
      this.key = ColumnNames.of("key", names);
      return this;
    }

    /** Sets the columns that are inserted beside the key; by default none. */
    public Builder columns(String... names) {
      this.columns = ColumnNames.of("columns", names);
      return this;
    }

    /** Sets the columns that are read of the row that is there; by default the key. */
    public Builder returning(String... names) {
      this.returning = ColumnNames.of("returning", names);
      return this;
    }

    /**
     * Returns the insert, which answers with rows as maps by column, in whatever case the database
     * names it. The database is not asked before it is used.
     *
     * @throws IllegalArgumentException if something is missing, or a column has two uses
     */
    public InsertOnce<Map<String, @Nullable Object>> build() {
      return build(new ColumnMapRowMapper());
    }

    /**
     * Returns the insert, which answers with rows as {@code mapper} reads them, never as null. The
     * database is not asked before it is used.
     *
     * @throws IllegalArgumentException if something is missing, or a column has two uses
     */
    public <T> InsertOnce<T> build(RowMapper<T> mapper) {
      return new InsertOnce<>(this, GuardedTable.required(table), mapper);
    }
  }
}
