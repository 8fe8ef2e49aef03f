// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Something to do with the table.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
interface TableWork<T> {
  /** Does it. */
  T run(Connection connection, ClaimTable table) throws SQLException;
}
