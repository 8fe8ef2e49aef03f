// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.awaitility.Awaitility.await;

import io.dedup.DedupEvent;
import io.dedup.Deduplicator;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.TopicOptions;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

/** An application whose listener reads a topic of its own. Its options can be changed before. */
final class SpringRun implements AutoCloseable {

  static final Duration BOUND = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(30);

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final SpringBroker broker;

  /** Those of all members of the group. */
  private final Effects all;

  private final Effects effects;
  private final ClaimStore store;
  private final String id;
  private final String topic;
  private final int[] sent;
  private final Map<String, Object> client = new HashMap<>();
  private final List<Runnable> closing = new ArrayList<>();
  private final List<DedupEvent> events = new CopyOnWriteArrayList<>();
  private UnaryOperator<ClaimStore> seenAs = UnaryOperator.identity();
  private UnaryOperator<TopicOptions> options = UnaryOperator.identity();
  private Consumer<ConcurrentKafkaListenerContainerFactory<String, String>> containers = c -> {};
  private AckMode ackMode = AckMode.BATCH;
  private @Nullable Duration lease;

  SpringRun(SpringBroker broker) {
    this.broker = broker;
    this.all = new Effects();
    this.effects = new Effects(all);
    this.store = InMemoryClaimStore.create();
    this.id = "group-" + UUID.randomUUID();
    this.topic = "topic-" + UUID.randomUUID();
    this.sent = new int[SpringBroker.PARTITIONS];
    broker.createTopic(topic);
    client.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
    client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    client.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
    client.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 8);
  }

  private SpringRun(SpringRun first) {
    this.broker = first.broker;
    this.all = first.all;
    this.effects = new Effects(all);
    this.store = first.store;
    this.id = first.id;
    this.topic = first.topic;
    this.sent = first.sent;
    this.client.putAll(first.client);
    this.options = first.options;
    this.containers = first.containers;
    this.ackMode = first.ackMode;
    this.lease = first.lease;
  }

  /** Another application, whose listener is a member of this one's group. It is not started. */
  SpringRun beside() {
    return new SpringRun(this);
  }

  /** Starts an application with a listener of this shape. */
  static SpringRun of(
      SpringBroker broker, ListenerShape shape, UnaryOperator<TopicOptions> options) {
    SpringRun run = new SpringRun(broker);
    run.options = options;
    return run.of(shape);
  }

  /** Starts it with a listener of this shape. */
  SpringRun of(ListenerShape shape) {
    return shaped(shape).start(shape.bean(effects));
  }

  /** Has the container go with a listener of this shape. */
  SpringRun shaped(ListenerShape shape) {
    ackMode = shape.ackMode();
    if (shape.isTransactional()) {
      containers = containers.andThen(this::inTransactions);
    }
    return this;
  }

  private void inTransactions(ConcurrentKafkaListenerContainerFactory<String, String> factory) {
    DefaultKafkaProducerFactory<String, String> producers =
        new DefaultKafkaProducerFactory<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    producers.setTransactionIdPrefix(id + UUID.randomUUID());
    closing.add(producers::destroy);
    factory
        .getContainerProperties()
        .setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
    factory.setAfterRollbackProcessor(
        new DefaultAfterRollbackProcessor<>(
            (record, e) -> effects.recover(String.valueOf(record.value())),
            new FixedBackOff(0, 2)));
  }

  SpringRun acknowledging(AckMode mode) {
    this.ackMode = mode;
    return this;
  }

  SpringRun lease(Duration value) {
    this.lease = value;
    return this;
  }

  /** Has the application see the store through this. */
  SpringRun store(UnaryOperator<ClaimStore> view) {
    this.seenAs = view;
    return this;
  }

  SpringRun client(String setting, Object value) {
    client.put(setting, value);
    return this;
  }

  SpringRun containers(
      Consumer<ConcurrentKafkaListenerContainerFactory<String, String>> configurer) {
    this.containers = configurer;
    return this;
  }

  /** Starts it with a bean whose methods are annotated, and more configuration. */
  @SuppressWarnings("unchecked")
  SpringRun start(Object listener, Class<?>... more) {
    context.register(Application.class);
    Arrays.stream(more).forEach(context::register);
    context.registerBean("run", SpringRun.class, () -> this, d -> d.setDestroyMethodName(""));
    context.registerBean("listener", (Class<Object>) listener.getClass(), () -> listener);
    try {
      context.refresh();
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
    return this;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  public String id() {
    return id;
  }

  public String topic() {
    return topic;
  }

  /** What this member's listener has done. */
  Effects effects() {
    return effects;
  }

  /** What the listeners of all members have done. */
  Effects effectsOfAll() {
    return all;
  }

  ClaimStore store() {
    return store;
  }

  /** What the deduplicator has told. */
  List<DedupEvent> events() {
    return events;
  }

  IdempotencyKey key(String event) {
    return IdempotencyKey.of(CompositeId.join(List.of(id, topic)), event);
  }

  /** Sends a message. Returns its value: its partition, its place there, and the event. */
  String send(int partition, String event) {
    String value = "%d:%03d:%s".formatted(partition, sent[partition]++, event);
    broker.send(topic, partition, event, value);
    return value;
  }

  void awaitEnd() {
    broker.flush();
    long end = Arrays.stream(sent).sum();
    await()
        .alias("committed of " + end)
        .atMost(BOUND)
        .pollInterval(POLL)
        .until(() -> broker.committed(id, topic), committed -> committed == end);
  }

  /** Stops the listener, sets its group back to the beginning, and starts it. */
  void restartFromTheBeginning() {
    container().stop();
    broker.rewind(id, topic);
    container().start();
  }

  MessageListenerContainer container() {
    return context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(id);
  }

  Collection<MessageListenerContainer> containers() {
    return context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers();
  }

  @Override
  public void close() {
    context.close();
    closing.forEach(Runnable::run);
  }

  @Configuration
  @EnableKafka
  @EnableIdempotentListeners
  static class Application {

    @Bean(destroyMethod = "close")
    Deduplicator deduplicator(SpringRun run) {
      return Deduplicator.builder(run.seenAs.apply(run.store)).listener(run.events::add).build();
    }

    @Bean
    ListenerGuards guards(SpringRun run, Deduplicator deduplicator) {
      ListenerGuards.Builder guards =
          ListenerGuards.builder()
              .deduplicator(ListenerMode.LEASE, deduplicator)
              .topics(TopicRules.of(Map.of("topic-*", ListenerOptions.of(run::options))));
      if (run.lease != null) {
        guards.lease(run.lease);
      }
      return guards.build();
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
        SpringRun run) {
      ConcurrentKafkaListenerContainerFactory<String, String> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(
          new DefaultKafkaConsumerFactory<>(
              run.client, new StringDeserializer(), new StringDeserializer()));
      factory.setCommonErrorHandler(
          new DefaultErrorHandler(
              (record, e) -> run.effects.recover(String.valueOf(record.value())),
              new FixedBackOff(0, 2)));
      factory.getContainerProperties().setAckMode(run.ackMode);
      factory.getContainerProperties().setAckCount(3);
      factory.getContainerProperties().setAckTime(50);
      factory.getContainerProperties().setPollTimeout(100);
      run.containers.accept(factory);
      return factory;
    }
  }

  private TopicOptions options(TopicOptions usual) {
    return options.apply(usual.key(KeyExtractors.header("event-id")).ttl(Duration.ofDays(30)));
  }
}
