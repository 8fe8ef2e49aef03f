// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Something to do with a connection.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
interface SqlWork<T> {
  /** Does it. */
  T run(Connection connection) throws SQLException;
}
