// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.support.ShareAcknowledgment;

/** Listeners of share groups (KIP-932). */
class ShareListenersTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String topic = "share-" + UUID.randomUUID();
  private final String group = "group-" + UUID.randomUUID();
  private final ClaimStore store = InMemoryClaimStore.create();
  private final AtomicInteger exchanges = new AtomicInteger();
  private final Deduplicator deduplicator = Deduplicator.builder(counted(store)).build();
  private final List<String> recovered = new CopyOnWriteArrayList<>();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private KafkaProducer<String, String> producer;

  @BeforeEach
  void setUp() throws Exception {
    kafka.get().createTopic(topic, 1, Map.of());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.get().bootstrapServers()))) {
      enableShareGroups(admin);
      Collection<AlterConfigOp> fromTheBeginning =
          List.of(
              new AlterConfigOp(
                  new ConfigEntry("share.auto.offset.reset", "earliest"),
                  AlterConfigOp.OpType.SET));
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.GROUP, group), fromTheBeginning))
          .all()
          .get();
    }
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.get().bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
  }

  /** A broker of Kafka 4.1 has them as a preview. */
  private static void enableShareGroups(Admin admin) throws Exception {
    FinalizedVersionRange now =
        admin.describeFeatures().featureMetadata().get().finalizedFeatures().get("share.version");
    if (now == null || now.maxVersionLevel() < 1) {
      admin
          .updateFeatures(
              Map.of(
                  "share.version", new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE)),
              new UpdateFeaturesOptions())
          .all()
          .get();
    }
  }

  @AfterEach
  void tearDown() {
    context.close();
    producer.close();
    deduplicator.close();
  }

  /** A listener whose return is its acknowledgement. */
  static class Returning {
    final List<String> effects = new CopyOnWriteArrayList<>();

    @KafkaListener(
        id = "returning",
        topics = "#{@topic}",
        groupId = "#{@group}",
        containerFactory = "shares")
    void on(ConsumerRecord<String, String> record) {
      effects.add(record.value());
      if (record.value().startsWith("bad")) {
        throw new IllegalStateException("never");
      }
    }
  }

  /** A listener that says what becomes of a record. */
  static class Acknowledging {
    final List<String> effects = new CopyOnWriteArrayList<>();

    @KafkaListener(
        id = "acknowledging",
        topics = "#{@topic}",
        groupId = "#{@group}",
        containerFactory = "shares")
    void on(ConsumerRecord<String, String> record, ShareAcknowledgment acknowledgment) {
      effects.add(record.value());
      if (record.value().equals("later") && effects.stream().filter("later"::equals).count() < 3) {
        acknowledgment.release();
      } else if (record.value().equals("no")) {
        acknowledgment.reject();
      } else {
        acknowledgment.acknowledge();
      }
    }
  }

  @Configuration
  @EnableKafka
  @EnableIdempotentListeners
  static class Application {}

  @Test
  void duplicatesAreAcceptedAndNotHandled() {
    publish("a", "a0");
    publish("a", "a0");
    publish("b", "b1");
    Returning listener = start(new Returning(), "explicit");
    await().atMost(PATIENCE).until(() -> listener.effects.contains("b1"));
    publish("a", "a0");
    publish("end", "end");
    await().atMost(PATIENCE).until(() -> listener.effects.contains("end"));
    assertThat(listener.effects).containsExactly("a0", "b1", "end");
  }

  @Test
  void aListenerThatFailsHasItsRecordRejectedAndTheKeyMayRunAgain() {
    publish("a", "bad");
    publish("b", "b1");
    Returning listener = start(new Returning(), "explicit");
    await().atMost(PATIENCE).until(() -> listener.effects.contains("b1"));
    assertThat(listener.effects).containsExactly("bad", "b1");
    publish("a", "good");
    await().atMost(PATIENCE).until(() -> listener.effects.contains("good"));
  }

  @Test
  void whatIsReleasedComesAgainAndWhatIsRejectedDoesNot() {
    publish("a", "later");
    publish("b", "no");
    publish("c", "c");
    Acknowledging listener = start(new Acknowledging(), "explicit");
    await()
        .atMost(PATIENCE)
        .until(() -> listener.effects.stream().filter("later"::equals).count() == 3);
    publish("a", "later");
    publish("end", "end");
    await().atMost(PATIENCE).until(() -> listener.effects.contains("end"));
    assertThat(listener.effects).contains("c").filteredOn("no"::equals).hasSize(1);
    assertThat(listener.effects).filteredOn("later"::equals).hasSize(3);
  }

  @Test
  void aBusyKeyIsWaitedForWithoutGivingTheRecordBack() {
    IdempotencyKey key = key("a");
    store.claim(
        List.of(
            ClaimRequest.builder(key, "rival", Duration.ofMinutes(5), Duration.ofDays(1)).build()));
    publish("a", "a0");
    publish("b", "b1");
    Acknowledging listener = start(new Acknowledging(), "explicit");
    await().atMost(PATIENCE).until(() -> exchanges.get() > 5);
    assertThat(listener.effects).doesNotContain("a0");
    store.forget(key);
    await().atMost(PATIENCE).until(() -> listener.effects.containsAll(List.of("a0", "b1")));
    assertThat(listener.effects).containsExactlyInAnyOrder("a0", "b1");
    assertThat(recovered).isEmpty();
  }

  @Test
  void aConflictGoesToTheRecovererBeforeItIsRejected() {
    publish("a", "a0");
    publish("a", "another");
    publish("end", "end");
    Returning listener = start(new Returning(), "explicit");
    await().atMost(PATIENCE).until(() -> listener.effects.contains("end"));
    assertThat(listener.effects).containsExactly("a0", "end");
    assertThat(recovered).singleElement().asString().startsWith("another: CONFLICT");
  }

  @Test
  void implicitAcknowledgementIsRefusedAtStart() {
    assertThatThrownBy(() -> start(new Returning(), "implicit"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("listener returning, share.acknowledgement.mode")
        .hasMessageContaining("was implicit, must be explicit");
  }

  private ClaimStore counted(ClaimStore of) {
    return (ClaimStore)
        Proxy.newProxyInstance(
            ClaimStore.class.getClassLoader(),
            new Class<?>[] {ClaimStore.class},
            (proxy, method, args) -> {
              exchanges.incrementAndGet();
              return method.invoke(of, args);
            });
  }

  private IdempotencyKey key(String id) {
    return IdempotencyKey.of(CompositeId.join(List.of(group, topic)), id);
  }

  private <T> T start(T listener, String acknowledgement) {
    DefaultShareConsumerFactory<String, String> consumers =
        new DefaultShareConsumerFactory<>(
            Map.of(
                "bootstrap.servers",
                kafka.get().bootstrapServers(),
                "share.acknowledgement.mode",
                acknowledgement),
            StringDeserializer::new,
            StringDeserializer::new,
            true);
    ListenerGuards guards =
        ListenerGuards.builder()
            .deduplicator(ListenerMode.LEASE, deduplicator)
            .recoverer((record, e) -> recovered.add(record.value() + ": " + e.getMessage()))
            .topics(
                TopicRules.of(
                    Map.of(
                        topic,
                        new ListenerOptions(
                            t ->
                                t.key(KeyExtractors.header("event-id"))
                                    .fingerprint(Fingerprints.raw())
                                    .ttl(Duration.ofDays(1)),
                            ListenerMode.LEASE,
                            GuardSwitch.ENFORCE,
                            null))))
            .build();
    context.registerBean("topic", String.class, () -> topic);
    context.registerBean("group", String.class, () -> group);
    context.registerBean(ListenerGuards.class, () -> guards);
    context.registerBean(
        "shares",
        ShareKafkaListenerContainerFactory.class,
        () -> new ShareKafkaListenerContainerFactory<>(consumers));
    context.registerBean("listener", Object.class, () -> listener);
    context.register(Application.class);
    context.refresh();
    return listener;
  }

  private void publish(String id, String value) {
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, value);
    record.headers().add("event-id", id.getBytes(UTF_8));
    try {
      producer.send(record).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
