// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Sends read-only transactions to a replica, as many applications do. */
final class RoutedByReadOnly extends AbstractDataSource {

  private final DataSource writer;
  private final DataSource replica;

  RoutedByReadOnly(DataSource writer, DataSource replica) {
    this.writer = writer;
    this.replica = replica;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return TransactionSynchronizationManager.isCurrentTransactionReadOnly()
        ? replica.getConnection()
        : writer.getConnection();
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }
}
