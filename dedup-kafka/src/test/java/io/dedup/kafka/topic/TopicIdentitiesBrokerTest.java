// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TopicIdentitiesBrokerTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private static Admin admin;

  private final String topic = "identity-" + UUID.randomUUID();
  private final TopicIdentities identities = TopicIdentities.read(admin, Duration.ofSeconds(10));

  @BeforeAll
  static void connect() {
    admin = Admin.create(Map.of("bootstrap.servers", kafka.get().bootstrapServers()));
  }

  @AfterAll
  static void close() {
    admin.close();
  }

  private static String idOf(String topic) throws Exception {
    return NewTopics.idOf(admin, topic);
  }

  @Test
  void clusterAndTopicIdAreWhatTheBrokerSays() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    identities.refresh(List.of(topic));
    String cluster = admin.describeCluster().clusterId().get(10, TimeUnit.SECONDS);
    assertThat(identities.of(topic)).isEqualTo(new TopicIdentity(cluster, topic, idOf(topic)));
    assertThat(identities.of(topic).isComplete()).isTrue();
  }

  @Test
  void aTopicIsReadWhenItIsFirstAskedFor() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    assertThat(identities.of(topic).topicId()).isEqualTo(idOf(topic));
  }

  @Test
  void aTopicDeletedAndCreatedAnewIsAnotherOne() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    assertThat(identities.refresh(List.of(topic))).isEmpty();
    TopicIdentity before = identities.of(topic);
    assertThat(identities.refresh(List.of(topic))).isEmpty();

    NewTopics.delete(admin, topic);
    NewTopics.create(admin, topic, Map.of());

    assertThat(identities.refresh(List.of(topic))).containsExactly(topic);
    TopicIdentity after = identities.of(topic);
    assertThat(after.topicId()).isNotEqualTo(before.topicId());
    assertThat(after.origin(0, 0, 0)).isNotEqualTo(before.origin(0, 0, 0));
  }

  @Test
  void aTopicThatDoesNotExistIsAnErrorAtStartAndANameLater() throws Exception {
    assertThatThrownBy(() -> identities.refresh(List.of(topic)))
        .isInstanceOf(TopicReadException.class)
        .hasMessage("topic " + topic + ": its id: the topic does not exist");
    TopicIdentity missing = identities.of(topic);
    assertThat(missing.topicId()).isNull();
    assertThat(missing.clusterId()).isNotNull();
    NewTopics.create(admin, topic, Map.of());
    assertThat(identities.of(topic).topicId()).as("once it was created").isEqualTo(idOf(topic));
  }

  @Test
  void aBrokerThatDoesNotAnswerIsAnErrorWithinTheTimeOut() {
    // Nothing listens on port 1.
    try (Admin nobody = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"))) {
      assertThatThrownBy(() -> TopicIdentities.read(nobody, Duration.ofMillis(200)).of(topic))
          .isInstanceOf(TopicReadException.class)
          .hasMessageContaining("no answer from Kafka within PT0.2S, check bootstrap.servers");
    }
  }

  @Test
  void anInterruptedReadKeepsTheInterrupt() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> identities.of(topic))
        .isInstanceOf(TopicReadException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aTimeOutOfNothingIsRefused() {
    assertThatThrownBy(() -> TopicIdentities.read(admin, Duration.ZERO))
        .hasMessageContaining("timeout: was PT0S, must be PT0.001S");
  }
}
