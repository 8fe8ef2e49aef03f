// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Hands out the same connection again and again, and puts nothing back that its users changed. */
final class OneConnection extends AbstractDataSource {

  private final Connection connection;

  OneConnection(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Connection getConnection() {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Connection getConnection(String username, String password) {
    return getConnection();
  }
}
