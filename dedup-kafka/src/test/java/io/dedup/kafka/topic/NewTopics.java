// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;

/**
 * Topics of one partition that the broker is known to know: it hears of one a little after the one
 * who creates it.
 */
public final class NewTopics {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private NewTopics() {}

  public static void create(Admin admin, String topic, Map<String, String> config) {
    // A name that was just deleted takes a moment to be free again.
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              NewTopic one = new NewTopic(topic, Optional.of(1), Optional.empty()).configs(config);
              admin.createTopics(List.of(one)).all().get(10, TimeUnit.SECONDS);
              return true;
            });
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> !idOf(admin, topic).isEmpty());
  }

  public static void delete(Admin admin, String topic) throws Exception {
    admin.deleteTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                idOf(admin, topic);
                return false;
              } catch (java.util.concurrent.ExecutionException e) {
                return true;
              }
            });
  }

  static String idOf(Admin admin, String topic) throws Exception {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get(10, TimeUnit.SECONDS)
        .get(topic)
        .topicId()
        .toString();
  }
}
