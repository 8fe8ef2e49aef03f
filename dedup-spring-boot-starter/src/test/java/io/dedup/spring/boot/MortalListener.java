// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;

/** An application in a process of its own, whose listener writes to a database until it dies. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  KafkaAutoConfiguration.class,
  DataSourceAutoConfiguration.class,
  DataSourceTransactionManagerAutoConfiguration.class,
  JdbcTemplateAutoConfiguration.class,
  DataRedisAutoConfiguration.class,
  DedupAutoConfiguration.class,
  DedupRedisAutoConfiguration.class,
  DedupJdbcAutoConfiguration.class,
  DedupTransactionsAutoConfiguration.class,
  DedupListenersAutoConfiguration.class
})
class MortalListener {

  private final JdbcTemplate sql;

  MortalListener(JdbcTemplate sql) {
    this.sql = sql;
  }

  @KafkaListener(
      id = OrdersTopic.GROUP,
      topics = "${test.topic}",
      autoStartup = "${test.record-listener}")
  void on(String order) {
    sql.update("INSERT INTO effect VALUES (?)", order);
  }

  @KafkaListener(
      id = OrdersTopic.GROUP + "-batch",
      groupId = OrdersTopic.GROUP,
      topics = "${test.topic}",
      batch = "true",
      autoStartup = "${test.batch-listener}")
  void on(List<String> orders) {
    orders.forEach(this::on);
  }

  public static void main(String[] properties) {
    SpringApplication.run(MortalListener.class, properties);
  }

  /** Starts the process. */
  static Process start(List<String> properties) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                MortalListener.class.getName()));
    properties.forEach(property -> command.add("--" + property));
    return new ProcessBuilder(command).inheritIO().start();
  }
}
