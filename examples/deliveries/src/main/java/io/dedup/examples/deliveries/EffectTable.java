// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The effect of a delivery: a row. The table has no unique constraint, so that a double run would
 * show.
 */
final class EffectTable {

  private final JdbcTemplate sql;
  private final String insert;

  EffectTable(Run run, JdbcTemplate sql) {
    this.sql = sql;
    this.insert =
        "insert into "
            + run.effectTable()
            + " (delivery, event, source_partition, source_offset) values (?, ?, ?, ?)";
  }

  void insert(ConsumerRecord<byte[], byte[]> record) {
    sql.update(insert, row(record));
  }

  /** One statement for all, so that a batch is faster than as many records. */
  void insert(List<ConsumerRecord<byte[], byte[]>> records) {
    sql.batchUpdate(insert, records.stream().map(EffectTable::row).toList());
  }

  private static Object[] row(ConsumerRecord<?, ?> record) {
    return new Object[] {
      header(record, Publisher.ID_HEADER),
      header(record, Publisher.EVENT_HEADER),
      record.partition(),
      record.offset()
    };
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }
}
