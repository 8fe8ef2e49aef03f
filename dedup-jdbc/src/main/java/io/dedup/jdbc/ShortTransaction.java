// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs work in one transaction on a connection of its own, once. */
final class ShortTransaction {

  private ShortTransaction() {}

  /**
   * Runs {@code work} and commits it.
   *
   * @param what names the table, and {@code verb} what is done to it, for exceptions
   * @throws StoreException if there was trouble; the work may be stored or not
   */
  static <T> T run(DataSource dataSource, String what, String verb, SqlWork<T> work) {
    boolean readOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    // A DataSource that sends read-only transactions to a replica looks at this flag of the
    // caller's transaction.
    TransactionSynchronizationManager.setCurrentTransactionReadOnly(false);
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        connection.setAutoCommit(autoCommit);
        return result;
      } catch (SQLException | RuntimeException e) {
        undo(connection, autoCommit, e);
        throw e;
      }
    } catch (SQLException e) {
      throw SqlTrouble.exception(what, verb, e);
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new StoreUnavailable(what + ": " + verb + " failed: " + e.getMessage(), e);
    } finally {
      TransactionSynchronizationManager.setCurrentTransactionReadOnly(readOnly);
    }
  }

  private static void undo(Connection connection, boolean autoCommit, Exception why) {
    try {
      connection.rollback();
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }
}
