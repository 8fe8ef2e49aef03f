// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * A state machine in a column of the application's table, moved by compare-and-set: {@code UPDATE …
 * SET state = to WHERE id = ? AND state = from}. Thread-safe.
 *
 * <pre>{@code
 * CasTransitions<OrderState> orders =
 *     CasTransitions.builder(jdbcTemplate, OrderState.class)
 *         .table("orders").key("id").state("status")
 *         .allow(PENDING, PAYING)
 *         .allow(PAYING, PAID, FAILED)
 *         .build();
 * if (orders.transition(id, PENDING, PAYING) instanceof CasTransitions.Applied) {
 *   // Of any number of callers one is here.
 * }
 * }</pre>
 *
 * <p>It works in the caller's transaction, and what it answers is true once that has committed;
 * without a transaction each transition is committed by itself. A transition that was applied keeps
 * the row until the transaction ends, and a rival waits for that. Whoever lost a race gets the
 * state that was read afterwards; nothing is tried again.
 *
 * @param <S> the states
 */
public final class CasTransitions<S extends Enum<S>> {

  private final GuardedColumn column;
  private final Map<S, Set<S>> allowed;
  private final Map<S, Object> stored;
  private final Map<String, S> states;

  private CasTransitions(Builder<S> builder, TableName table) {
    this.column =
        new GuardedColumn(
            new GuardedTable(builder.jdbc, table, builder.key),
            builder.state,
            "?",
            "%s = ?",
            List.of());
    this.allowed = new EnumMap<>(builder.allowed);
    this.stored = new EnumMap<>(builder.type);
    this.states = new HashMap<>();
    for (S state : builder.type.getEnumConstants()) {
      Object value = builder.stored.apply(state);
      stored.put(state, value);
      S twin = states.put(text(value), state);
      if (twin != null) {
        throw new IllegalArgumentException(
            "stored: was the same for " + twin + " and " + state + ", must tell them apart");
      }
    }
  }

  /**
   * Returns a builder of transitions.
   *
   * @param jdbc reaches the table, with its own time-out and in the transactions of its {@code
   *     DataSource}
   * @param states the states; stored by their names unless said otherwise
   */
  public static <S extends Enum<S>> Builder<S> builder(JdbcTemplate jdbc, Class<S> states) {
    return new Builder<>(jdbc, states);
  }

  /** Returns a builder of transitions in a table of {@code dataSource}. */
  public static <S extends Enum<S>> Builder<S> builder(DataSource dataSource, Class<S> states) {
    return new Builder<>(new JdbcTemplate(dataSource), states);
  }

  /**
   * Moves a row from one state to another if it is in the first.
   *
   * @param id the row's key; a {@code List} of values where the key has several columns
   * @throws IllegalArgumentException if the transition is not one of those allowed
   * @throws IllegalTransactionStateException if the write would not be part of the caller's
   *     transaction
   * @throws ConcurrencyFailureException if the database decided for another transaction, or the
   *     wait for one is over; a transaction can then only be rolled back, and may be tried again as
   *     a whole
   */
  public Answer<S> transition(Object id, S from, S to) {
    if (!allowed.getOrDefault(from, Set.of()).contains(to)) {
      throw new IllegalArgumentException(
          "transition: was " + from + " -> " + to + ", must be one of " + allowed);
    }
    return column.change(
        id,
        List.of(value(to)),
        List.of(value(from)),
        new Applied<>(),
        (row, number) -> answer(to, states.get(text(row.getString(1)))),
        new Missing<>());
  }

  private static <S extends Enum<S>> Answer<S> answer(S to, @Nullable S current) {
    return current == to ? new AlreadyThere<>() : new Refused<>(current);
  }

  private Object value(S state) {
    return Objects.requireNonNull(stored.get(state));
  }

  /** A CHAR column pads with blanks. */
  private static String text(@Nullable Object value) {
    Object plain = value instanceof SqlParameterValue typed ? typed.getValue() : value;
    return String.valueOf(plain).stripTrailing();
  }

  /**
   * What became of a transition.
   *
   * @param <S> the states
   */
  public sealed interface Answer<S> permits Applied, AlreadyThere, Refused, Missing {

    /** Returns what the function of this case returns. */
    default <R> R fold(
        Function<Applied<S>, R> applied,
        Function<AlreadyThere<S>, R> alreadyThere,
        Function<Refused<S>, R> refused,
        Function<Missing<S>, R> missing) {
      if (this instanceof Applied<S> answer) {
        return applied.apply(answer);
      }
      if (this instanceof AlreadyThere<S> answer) {
        return alreadyThere.apply(answer);
      }
      if (this instanceof Refused<S> answer) {
        return refused.apply(answer);
      }
      return missing.apply((Missing<S>) this);
    }
  }

  /** This call moved the row; of concurrent callers, it alone did. */
  public record Applied<S>() implements Answer<S> {}

  /**
   * The row is in the state asked for, and somebody else moved it there, or an earlier call did:
   * whether what belongs to the transition is done, this does not say.
   */
  public record AlreadyThere<S>() implements Answer<S> {}

  /**
   * The row is in another state, and stays there.
   *
   * @param current that state, read after the attempt; null if the column has a value that is none
   *     of the states. The state asked from itself, if the row got there in between
   */
  public record Refused<S>(@Nullable S current) implements Answer<S> {}

  /** There is no such row. */
  public record Missing<S>() implements Answer<S> {}

  /**
   * Collects the names, and the transitions allowed.
   *
   * @param <S> the states
   */
  public static final class Builder<S extends Enum<S>> {
    private final JdbcTemplate jdbc;
    private final Class<S> type;
    private final Map<S, Set<S>> allowed;
    private @Nullable TableName table;
    private List<String> key = List.of("id");
    private String state = "state";
    private Function<S, Object> stored = Enum::name;

    private Builder(JdbcTemplate jdbc, Class<S> type) {
      this.jdbc = jdbc;
      this.type = type;
      this.allowed = new EnumMap<>(type);
    }

    /**
     * Sets the table. All names mean what they would mean unquoted in SQL.
     *
     * @param name {@code table} or {@code schema.table}
     * @throws IllegalArgumentException if it is not such a name
     */
    public Builder<S> table(String name) {
      this.table = TableName.of(name);
      return this;
    }

    /** Sets the columns of a key that is unique; by default {@code id}. */
    public Builder<S> key(String... columns) {
      this.key = ColumnNames.of("key", columns);
      return this;
    }

    /** Sets the column of the state; by default {@code state}. */
    public Builder<S> state(String column) {
      this.state = ColumnNames.of("state", column);
      return this;
    }

    /**
     * Sets how a state is stored; by default by its name. A {@link SqlParameterValue} says the type
     * too: {@code state -> new SqlParameterValue(Types.OTHER, state.name())} for an enumerated type
     * of PostgreSQL.
     */
    public Builder<S> stored(Function<S, Object> value) {
      this.stored = value;
      return this;
    }

    /**
     * Allows transitions from one state to others, beside those allowed already.
     *
     * @throws IllegalArgumentException if one of them would not change the state
     */
    @SafeVarargs
    public final Builder<S> allow(S from, S... to) {
      for (S target : to) {
        if (target == from) {
          throw new IllegalArgumentException(
              "transition: was " + from + " -> " + target + ", must change the state");
        }
        allowed.computeIfAbsent(from, state -> EnumSet.noneOf(type)).add(target);
      }
      return this;
    }

    /**
     * Returns the transitions. The database is not asked before the first of them.
     *
     * @throws IllegalArgumentException if something is missing
     */
    public CasTransitions<S> build() {
      if (allowed.isEmpty()) {
        throw new IllegalArgumentException("transitions: were none, must be at least one");
      }
      return new CasTransitions<>(this, GuardedTable.required(table));
    }
  }
}
