// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Connections of which one call is changed. */
final class Connections {

  private Connections() {}

  /** A DataSource that hands out what {@code source} returns. */
  static DataSource from(Source source) {
    return new AbstractDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        return source.get();
      }

      @Override
      public Connection getConnection(String username, String password) throws SQLException {
        return source.get();
      }
    };
  }

  /** A connection that stays open, and keeps what its users set, when they close it. */
  static Connection neverClosed(Connection real) {
    return intercepted(
        real, (method, call) -> method.getName().equals("close") ? null : call.proceed());
  }

  /** The connection with each call going through {@code interceptor}. */
  static Connection intercepted(Connection real, Interceptor interceptor) {
    return (Connection)
        Proxy.newProxyInstance(
            Connections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                interceptor.intercept(method, () -> proceed(real, method, arguments)));
  }

  private static @Nullable Object proceed(
      Connection real, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Where connections come from. */
  @FunctionalInterface
  interface Source {
    Connection get() throws SQLException;
  }

  /** What is done instead of a call, or around it. */
  @FunctionalInterface
  interface Interceptor {
    @Nullable Object intercept(Method method, Call call) throws Throwable;
  }

  /** The call itself. */
  @FunctionalInterface
  interface Call {
    @Nullable Object proceed() throws Throwable;
  }
}
