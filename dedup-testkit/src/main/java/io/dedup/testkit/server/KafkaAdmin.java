// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;

/** What is asked of a broker. Apart, so that Kafka's classes are wanted only where there is one. */
final class KafkaAdmin {

  private KafkaAdmin() {}

  static void createTopic(
      String bootstrapServers, String name, int partitions, Map<String, String> config) {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(config);
    try (Admin admin = admin(bootstrapServers)) {
      admin.createTopics(List.of(topic)).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("could not create topic " + name, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating topic " + name, e);
    }
  }

  private static Admin admin(String bootstrapServers) {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }
}
