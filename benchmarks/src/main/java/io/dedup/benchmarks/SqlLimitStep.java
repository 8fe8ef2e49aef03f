// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** The least that an inbox can do: one transaction with one statement for all records of a poll. */
final class SqlLimitStep implements Step {

  private final Effect effect;
  private final HikariDataSource pool;

  SqlLimitStep(Course course) throws SQLException {
    this.effect = course.effect();
    this.pool = Sql.pool(course.stores().jdbc());
    Sql.execute(pool, "create table if not exists limit_inbox (id text primary key)");
  }

  @Override
  public void handle(ConsumerRecords<byte[], byte[]> records) throws SQLException {
    Map<String, ConsumerRecord<byte[], byte[]>> firsts = new LinkedHashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      firsts.putIfAbsent(Dataset.idOf(record), record);
    }
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      Set<String> inserted = insert(connection, firsts.keySet());
      firsts.forEach(
          (id, record) -> {
            if (inserted.contains(id)) {
              effect.run(record);
            }
          });
      connection.commit();
    }
  }

  private static Set<String> insert(Connection connection, Set<String> ids) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into limit_inbox (id) select unnest(?) on conflict do nothing returning id")) {
      Array array = connection.createArrayOf("text", ids.toArray());
      insert.setArray(1, array);
      Set<String> inserted = new HashSet<>();
      try (ResultSet rows = insert.executeQuery()) {
        while (rows.next()) {
          inserted.add(rows.getString(1));
        }
      }
      array.free();
      return inserted;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
