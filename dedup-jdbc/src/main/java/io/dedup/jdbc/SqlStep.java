// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Something to do with a connection that returns nothing. */
@FunctionalInterface
interface SqlStep {
  /** Does it. */
  void run(Connection connection) throws SQLException;
}
