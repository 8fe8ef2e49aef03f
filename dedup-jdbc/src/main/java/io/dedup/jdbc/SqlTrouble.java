// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an error of a database means, by SQLState and vendor code. Never by its text, which comes in
 * the server's language.
 */
enum SqlTrouble {
  /** The transaction was ended in favour of another, and may be tried again as a whole. */
  CONFLICT,
  /** Somebody else has the row, and the wait for it is over. The transaction may be alive. */
  ROW_BUSY,
  /** A row with this key came in between. */
  DUPLICATE,
  /** The connection broke, was refused or timed out. What was under way may be done or not. */
  CONNECTION,
  /** A table, a column, a constraint or a permission is missing. */
  MISCONFIGURED,
  /** Anything else. */
  OTHER;

  /** How deep a chain of causes is followed. */
  private static final int DEPTH_MAX = 50;

  /** Returns what {@code e} means. */
  static SqlTrouble of(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    SqlTrouble byCode = ofVendorCode(e.getErrorCode(), state);
    return byCode != null ? byCode : ofState(state);
  }

  /**
   * Returns what the first database error among the causes of {@code e} means; null if there is
   * none.
   */
  static @Nullable SqlTrouble within(Throwable e) {
    SqlTrouble found = null;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> next = new ArrayDeque<>();
    next.add(e);
    while (!next.isEmpty() && seen.size() < DEPTH_MAX) {
      Throwable one = next.poll();
      if (!seen.add(one)) {
        continue;
      }
      if (one instanceof SQLException sql) {
        SqlTrouble trouble = of(sql);
        // A conflict says why; what came after it (a rolled back commit, a closed connection) only
        // follows from it.
        if (trouble == CONFLICT) {
          return CONFLICT;
        }
        found = found == null || found == OTHER ? trouble : found;
        if (sql.getNextException() != null) {
          next.add(sql.getNextException());
        }
      }
      if (one.getCause() != null) {
        next.add(one.getCause());
      }
    }
    return found;
  }

  /** Returns the exception that a store answers {@code e} with. */
  static StoreException exception(String store, String verb, SQLException e) {
    String what =
        store
            + ": "
            + verb
            + " failed with SQLState "
            + e.getSQLState()
            + ", code "
            + e.getErrorCode();
    return of(e) == MISCONFIGURED
        ? new StoreMisconfigured(
            what
                + "; the table must be there as the schema scripts make it, and permitted to us: "
                + e.getMessage(),
            e)
        : new StoreUnavailable(what + ": " + e.getMessage(), e);
  }

  /**
   * The codes of MySQL and MariaDB (1000 and up) and of H2, where their SQLStates are not enough.
   */
  private static @Nullable SqlTrouble ofVendorCode(int code, String state) {
    return switch (code) {
      // Deadlock; a record changed since the snapshot (MariaDB's snapshot isolation).
      case 1213, 1020 -> CONFLICT;
      // H2: a row was changed by another transaction meanwhile.
      case 90131 -> CONFLICT;
      // Lock wait time-out, and MySQL's NOWAIT; H2's lock time-out.
      case 1205, 3572, 50200 -> ROW_BUSY;
      case 1062 -> DUPLICATE;
      // A time-out or a kill ended it (MariaDB, MySQL), or it broke in the middle of a commit.
      case 1969, 3024, 1317, 1927, 1180 -> CONNECTION;
      // No such table or column; access denied to a database, table, column or routine.
      case 1146, 1054, 1044, 1045, 1049, 1142, 1143, 1370 -> MISCONFIGURED;
      // H2: not enough rights.
      case 90096 -> MISCONFIGURED;
      // Other errors of MySQL come with 42000, too: that state says little there.
      default -> code >= 1000 && code < 5000 && state.startsWith("42") ? OTHER : null;
    };
  }

  private static SqlTrouble ofState(String state) {
    // 40003: it is not known whether it was done. Without a state: the driver gave up by itself.
    if (state.equals("40003") || state.isEmpty()) {
      return CONNECTION;
    }
    if (state.startsWith("40")) {
      return CONFLICT;
    }
    return switch (state) {
      case "55P03" -> ROW_BUSY;
      case "23505" -> DUPLICATE;
      // A standby, or a server that is stopping: another may take over.
      case "25006", "57P01", "57P02", "57P03" -> CONNECTION;
      default -> ofClass(state.length() < 2 ? "" : state.substring(0, 2));
    };
  }

  private static SqlTrouble ofClass(String stateClass) {
    return switch (stateClass) {
      case "08" -> CONNECTION;
      // Syntax or access rule (a missing table among them), no such schema or catalog, no such
      // user.
      case "42", "3F", "3D", "28" -> MISCONFIGURED;
      default -> OTHER;
    };
  }
}
