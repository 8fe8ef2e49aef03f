// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Sends a batch of statements. */
final class SentBatch {

  private static final String CONNECTION_FAILURE = "08006";

  private SentBatch() {}

  /**
   * Executes the batch.
   *
   * <p>Where assertions are on, PostgreSQL's driver meets a connection that is lost in the middle
   * of a batch with an {@link AssertionError}: it is the connection's trouble, whatever it comes
   * as.
   */
  static int[] execute(PreparedStatement statement) throws SQLException {
    try {
      return statement.executeBatch();
    } catch (AssertionError e) {
      throw new SQLException("the driver lost its connection", CONNECTION_FAILURE, e);
    }
  }
}
