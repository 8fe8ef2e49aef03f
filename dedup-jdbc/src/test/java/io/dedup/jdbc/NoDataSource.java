// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A database that is down. */
final class NoDataSource extends AbstractDataSource {

  @Override
  public Connection getConnection() throws SQLException {
    throw new SQLException("refused", "08001");
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }
}
