// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.awaitility.Awaitility.await;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
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
  private final Effects effects = new Effects();
  private final ClaimStore store = InMemoryClaimStore.create();
  private final String id = "group-" + UUID.randomUUID();
  private final String topic = "topic-" + UUID.randomUUID();
  private final Map<String, Object> client = new HashMap<>();
  private final List<Runnable> closing = new ArrayList<>();
  private UnaryOperator<TopicOptions> options = UnaryOperator.identity();
  private Consumer<ConcurrentKafkaListenerContainerFactory<String, String>> containers = c -> {};
  private AckMode ackMode = AckMode.BATCH;
  private final int[] sent = new int[SpringBroker.PARTITIONS];

  SpringRun(SpringBroker broker) {
    this.broker = broker;
    broker.createTopic(topic);
    client.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
    client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    client.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
    client.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 8);
  }

  /** Starts an application with a listener of this shape. */
  static SpringRun of(
      SpringBroker broker, ListenerShape shape, UnaryOperator<TopicOptions> options) {
    SpringRun run = new SpringRun(broker);
    run.ackMode = shape.ackMode();
    run.options = options;
    if (shape.isTransactional()) {
      run.containers = run::inTransactions;
    }
    run.start(shape.bean(run.effects));
    return run;
  }

  private void inTransactions(ConcurrentKafkaListenerContainerFactory<String, String> factory) {
    DefaultKafkaProducerFactory<String, String> producers =
        new DefaultKafkaProducerFactory<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    producers.setTransactionIdPrefix(id);
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

  Effects effects() {
    return effects;
  }

  ClaimStore store() {
    return store;
  }

  IdempotencyKey key(String event) {
    return IdempotencyKey.of(CompositeId.join(List.of(id, topic)), event);
  }

  /** Sends a message. Returns its value, which names the partition and its place there. */
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
      return Deduplicator.builder(run.store).build();
    }

    @Bean
    ListenerGuards guards(SpringRun run, Deduplicator deduplicator) {
      return ListenerGuards.builder()
          .deduplicator(ListenerMode.LEASE, deduplicator)
          .topics(TopicRules.of(Map.of("topic-*", ListenerOptions.of(run::options))))
          .build();
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
