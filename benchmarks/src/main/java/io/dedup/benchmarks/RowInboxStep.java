// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** The inbox of many blog posts: a transaction for each record, with a row for its id. */
final class RowInboxStep implements Step {

  private final Effect effect;
  private final HikariDataSource pool;

  RowInboxStep(Course course) throws SQLException {
    this.effect = course.effect();
    this.pool = Sql.pool(course.stores().jdbc());
    Sql.execute(
        pool,
        "create table if not exists row_inbox (id varchar(64) primary key,"
            + " received timestamptz not null default now())");
  }

  @Override
  public void handle(ConsumerRecords<byte[], byte[]> records) throws SQLException {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        if (inserts(connection, Dataset.idOf(record))) {
          effect.run(record);
        }
        connection.commit();
      }
    }
  }

  private static boolean inserts(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into row_inbox (id) values (?) on conflict do nothing")) {
      insert.setString(1, id);
      return insert.executeUpdate() == 1;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
