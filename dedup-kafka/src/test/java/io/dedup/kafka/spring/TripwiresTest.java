// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.config.KafkaListenerConfigUtils;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.AcknowledgingMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.kafka.listener.adapter.FilteringBatchMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.HandlerAdapter;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.listener.adapter.RecordMessagingMessageListenerAdapter;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.backoff.FixedBackOff;

/**
 * What spring-kafka does inside, and the guard leans on. No promise of its reference: each test
 * says who of us has to be looked at when it fails. No listener here is guarded.
 */
class TripwiresTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  static SpringBroker broker;

  private final RecordedCalls calls = new RecordedCalls();
  private final String topic = "topic-" + UUID.randomUUID();

  @BeforeAll
  static void connect() {
    broker = new SpringBroker(kafka.get());
  }

  @AfterAll
  static void disconnect() {
    broker.close();
  }

  /** Runs an unguarded container over one record until a condition holds. */
  private void run(Object listener, Consumer<KafkaMessageListenerContainer<String, String>> more)
      throws Exception {
    broker.createTopic(topic);
    broker.send(topic, 0, "id", "value");
    broker.flush();
    DefaultKafkaConsumerFactory<String, String> consumers =
        new DefaultKafkaConsumerFactory<>(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "auto.offset.reset",
                "earliest",
                "fetch.max.wait.ms",
                50),
            new StringDeserializer(),
            new StringDeserializer());
    consumers.addPostProcessor(c -> calls.of(org.apache.kafka.clients.consumer.Consumer.class, c));
    ContainerProperties properties = new ContainerProperties(topic);
    properties.setGroupId(topic);
    properties.setPollTimeout(50);
    properties.setMessageListener(listener);
    KafkaMessageListenerContainer<String, String> container =
        new KafkaMessageListenerContainer<>(consumers, properties);
    more.accept(container);
    container.start();
    try {
      await().atMost(SpringRun.BOUND).until(() -> broker.committed(topic, topic) == 1);
    } finally {
      container.stop();
    }
  }

  private void run(Object listener) throws Exception {
    run(listener, container -> {});
  }

  @Test
  void theRegistryOfListenersIsABeanOfThatNameAndClass() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Enabled.class)) {
      assertThat(
              context
                  .getBeanDefinition(
                      KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME)
                  .getBeanClassName())
          .as("bean class of the registry; RegistryDefinition puts ours in its place by this name")
          .isEqualTo(KafkaListenerEndpointRegistry.class.getName());
    }
  }

  @EnableKafka
  static class Enabled {}

  @Test
  void theRegistryMakesContainersInOneMethodThatMayBeOverridden() throws Exception {
    Method method =
        KafkaListenerEndpointRegistry.class.getDeclaredMethod(
            "createListenerContainer",
            KafkaListenerEndpoint.class,
            KafkaListenerContainerFactory.class);
    assertThat(Modifier.isProtected(method.getModifiers()))
        .as("createListenerContainer is protected; GuardedListenerEndpointRegistry overrides it")
        .isTrue();
  }

  @Test
  void whatIsReadByReflectionIsWhereItWas() throws Exception {
    InvocableHandlerMethod any =
        new InvocableHandlerMethod(new Object(), Object.class.getMethod("toString"));
    RecordMessagingMessageListenerAdapter<String, String> adapter =
        new RecordMessagingMessageListenerAdapter<>(null, null);
    adapter.setHandlerMethod(new HandlerAdapter(any));
    RecordFilterStrategy<String, String> strategy = record -> false;
    var filter = new FilteringMessageListenerAdapter<String, String>(record -> {}, strategy, true);
    var batches =
        new FilteringBatchMessageListenerAdapter<String, String>(records -> {}, strategy, true);
    var container =
        new KafkaMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(Map.of()), new ContainerProperties(topic));

    String why = " is read by GuardedContainer";
    assertThat(new DirectFieldAccessor(adapter).getPropertyValue("handlerMethod"))
        .as("handlerMethod of the listener adapter" + why)
        .isInstanceOf(HandlerAdapter.class);
    for (Object one : List.of(filter, batches)) {
      assertThat(new DirectFieldAccessor(one).getPropertyValue("recordFilterStrategy"))
          .as("recordFilterStrategy of the filtering adapter" + why)
          .isSameAs(strategy);
      assertThat(new DirectFieldAccessor(one).getPropertyValue("ackDiscarded"))
          .as("ackDiscarded of the filtering adapter" + why)
          .isEqualTo(true);
    }
    assertThat(new DirectFieldAccessor(container).getPropertyValue("consumerFactory"))
        .as("consumerFactory of the container" + why)
        .isInstanceOf(DefaultKafkaConsumerFactory.class);
  }

  @Test
  void aContainerAdvisesWhateverListenerItIsGivenAndItsTargetCanBeTold() throws Exception {
    ContainerProperties properties = new ContainerProperties(topic);
    MethodInterceptor advice = invocation -> invocation.proceed();
    MessageListener<String, String> first = record -> {};
    MessageListener<String, String> second = record -> {};
    properties.setAdviceChain(advice);
    properties.setMessageListener(first);
    Object advised = properties.getMessageListener();
    assertThat(AopUtils.isAopProxy(advised))
        .as("a set listener is advised at once; GuardedContainer unwraps it")
        .isTrue();
    assertThat(((Advised) advised).getTargetSource().getTarget())
        .as("the target of the advised listener; GuardedContainer guards it")
        .isSameAs(first);
    properties.setMessageListener(second);
    assertThat(((Advised) properties.getMessageListener()).getAdvisors())
        .as("advisors of a listener set in its place; GuardedContainer relies on one, not two")
        .hasSize(1);
  }

  @Test
  void aListenerIsToldOfItsConsumersThreadBeforeTheFirstPoll() throws Exception {
    run(new Seeking(calls));
    List<String> names = calls.names();
    String why = "registerSeekCallback; the guarded listeners introduce themselves to the consumer";
    assertThat(names.indexOf("registerSeekCallback"))
        .as(why + " before its first poll")
        .isNotNegative()
        .isLessThan(names.indexOf("poll"));
    assertThat(calls.first("registerSeekCallback").thread())
        .as(why + " on its thread")
        .isSameAs(calls.first("poll").thread());
    await()
        .alias("unregisterSeekCallback at the end; ConsumerWork ends with it")
        .atMost(SpringRun.BOUND)
        .until(() -> calls.names().contains("unregisterSeekCallback"));
  }

  private record Seeking(RecordedCalls calls)
      implements MessageListener<String, String>, ConsumerSeekAware {
    @Override
    public void onMessage(ConsumerRecord<String, String> record) {
      calls.note("onMessage");
    }

    @Override
    public void registerSeekCallback(ConsumerSeekCallback callback) {
      calls.note("registerSeekCallback");
    }

    @Override
    public void unregisterSeekCallback() {
      calls.note("unregisterSeekCallback");
    }
  }

  @Test
  void offsetsAreCommittedByTheFactorysConsumerAfterTheListener() throws Exception {
    for (AckMode mode : List.of(AckMode.RECORD, AckMode.BATCH)) {
      calls.note("begin");
      TripwiresTest one = new TripwiresTest();
      one.run(
          (MessageListener<String, String>) record -> one.calls.note("onMessage"),
          container -> container.getContainerProperties().setAckMode(mode));
      assertThat(one.calls.names())
          .as("commits by the consumer in " + mode + "; GuardedConsumer holds them back")
          .containsSubsequence("poll", "onMessage", "commitSync");
    }
  }

  @Test
  void anAcknowledgmentCommitsWithinItsCall() throws Exception {
    run(
        (AcknowledgingMessageListener<String, String>)
            (record, acknowledgment) -> {
              acknowledgment.acknowledge();
              calls.note("acknowledged");
            },
        container -> container.getContainerProperties().setAckMode(AckMode.MANUAL_IMMEDIATE));
    assertThat(calls.names())
        .as("commit in MANUAL_IMMEDIATE; Settling completes before it calls acknowledge()")
        .containsSubsequence("poll", "commitSync", "acknowledged");
  }

  @Test
  void aContainerSubscribesWithTheListenerOfItsRebalances() throws Exception {
    run((MessageListener<String, String>) record -> {});
    assertThat(calls.names())
        .as("subscribe and unsubscribe; GuardedConsumer comes around what is given there")
        .containsSubsequence("subscribe", "poll", "unsubscribe", "close");
  }

  @Test
  void aKafkaTransactionIsCommittedByTheFactorysProducerOnTheConsumersThread() throws Exception {
    DefaultKafkaProducerFactory<String, String> producers =
        new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    producers.setTransactionIdPrefix(topic);
    producers.addPostProcessor(p -> calls.of(Producer.class, p));
    try {
      run(
          (MessageListener<String, String>) record -> calls.note("onMessage"),
          container ->
              container
                  .getContainerProperties()
                  .setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers)));
    } finally {
      producers.destroy();
    }
    assertThat(calls.names())
        .as("order in a Kafka transaction; GuardedProducers completes what was committed")
        .containsSubsequence(
            "beginTransaction",
            "onMessage",
            "groupMetadata",
            "sendOffsetsToTransaction",
            "commitTransaction");
    assertThat(calls.first("commitTransaction").thread())
        .as("thread of the commit; GuardedProducers finds the consumer's work by it")
        .isSameAs(calls.first("poll").thread());
  }

  @Test
  void whoSeeksAndRecoversNothingThrows() {
    ConsumerRecord<String, String> record = new ConsumerRecord<>(topic, 0, 7, null, "value");
    MockConsumer<String, String> consumer = new MockConsumer<>("earliest");
    TopicPartition partition = new TopicPartition(topic, 0);
    consumer.assign(List.of(partition));
    assertThatThrownBy(
            () ->
                SeekUtils.seekOrRecover(
                    new IllegalStateException("busy"),
                    List.of(record),
                    consumer,
                    new KafkaMessageListenerContainer<>(
                        new DefaultKafkaConsumerFactory<>(Map.of()),
                        new ContainerProperties(topic)),
                    false,
                    (one, thrown) -> false,
                    new LogAccessor(TripwiresTest.class),
                    KafkaException.Level.DEBUG))
        .as("seekOrRecover; BusyErrorHandler must not return, or the record is taken for handled")
        .hasMessageContaining("Record in retry");
    assertThat(consumer.position(partition))
        .as("position after seekOrRecover; BusyErrorHandler reads the record again")
        .isEqualTo(7);
  }

  @Test
  void anErrorHandlerIsAskedAtEachErrorWhetherItSeeks() throws Exception {
    AtomicInteger failures = new AtomicInteger(2);
    DefaultErrorHandler handler =
        new DefaultErrorHandler(new FixedBackOff(0, 5)) {
          @Override
          public boolean seeksAfterHandling() {
            calls.note("seeksAfterHandling");
            return super.seeksAfterHandling();
          }
        };
    run(
        (MessageListener<String, String>)
            record -> {
              if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("must fail");
              }
            },
        container -> container.setCommonErrorHandler(handler));
    assertThat(calls.names().stream().filter("seeksAfterHandling"::equals).count())
        .as("seeksAfterHandling at each error; BusyErrorHandler answers by what was thrown")
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void whoTriesABatchAgainPollsMeanwhile() throws Exception {
    AtomicInteger failures = new AtomicInteger(1);
    run(
        (BatchMessageListener<String, String>)
            records -> {
              calls.note("onMessage");
              if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("must fail");
              }
            },
        container ->
            container.setCommonErrorHandler(new DefaultErrorHandler(new FixedBackOff(10, 2))));
    assertThat(calls.names())
        .as("retries of a batch pause, poll and resume; Holds keeps apart who has paused what")
        .containsSubsequence("onMessage", "pause", "poll", "onMessage", "resume");
  }

  @Test
  void aFailedValueIsAcknowledgedBeforeAnybodyHearsOfItsFailure() throws Exception {
    RecordMessagingMessageListenerAdapter<String, String> adapter =
        new RecordMessagingMessageListenerAdapter<>(null, null);
    InvocableHandlerMethod method =
        new InvocableHandlerMethod(new Failing(), Failing.class.getDeclaredMethod("on"));
    adapter.setHandlerMethod(new HandlerAdapter(method));
    adapter.setCallbackForAsyncFailure((record, failure) -> calls.note("failed"));
    adapter.onMessage(
        new ConsumerRecord<>(topic, 0, 0, null, "value"),
        () -> calls.note("acknowledged"),
        new MockConsumer<>("earliest"));
    assertThat(calls.names())
        .as("a failed value is acknowledged; OutcomeHandler notes before that what became of it")
        .containsExactly("acknowledged", "failed");
  }

  static class Failing {
    CompletableFuture<Void> on() {
      return CompletableFuture.failedFuture(new IllegalStateException("must fail"));
    }
  }
}
