// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the executions of statements; a JDBC batch is one. */
final class CountingDataSource {

  private final AtomicInteger executions = new AtomicInteger();
  private final DataSource target;

  CountingDataSource(DataSource target) {
    this.target = target;
  }

  DataSource dataSource() {
    return watched(DataSource.class, target);
  }

  int executionsOf(Runnable work) {
    int before = executions.get();
    work.run();
    return executions.get() - before;
  }

  private <T> T watched(Class<T> type, Object real) {
    InvocationHandler counting =
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            executions.incrementAndGet();
          }
          try {
            return watchedResult(method.invoke(real, arguments));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, counting));
  }

  private Object watchedResult(Object result) {
    if (result instanceof Connection) {
      return watched(Connection.class, result);
    }
    if (result instanceof PreparedStatement) {
      return watched(PreparedStatement.class, result);
    }
    return result instanceof Statement ? watched(Statement.class, result) : result;
  }
}
