// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Deduplicator;
import io.dedup.Policy;
import io.dedup.kafka.ClientSettings;
import io.dedup.kafka.RecordAsks;
import io.dedup.kafka.RecordDeduplicator;
import io.dedup.kafka.TopicOptions;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.TopicRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Reads how a container is to be guarded, and refuses what does not go together. Confined to a
 * thread.
 */
final class ContainerReader {

  private final ListenerGuards guards;
  private final AbstractMessageListenerContainer<?, ?> container;
  private final @Nullable KafkaListenerEndpoint endpoint;
  private final @Nullable AbstractMessageListenerContainer<?, ?> main;
  private final ContainerProperties properties;
  private final String name;

  /**
   * Makes the reader.
   *
   * @param main the container of the main listener if this one reads its retry topics
   */
  ContainerReader(
      ListenerGuards guards,
      AbstractMessageListenerContainer<?, ?> container,
      @Nullable KafkaListenerEndpoint endpoint,
      @Nullable AbstractMessageListenerContainer<?, ?> main) {
    this.guards = guards;
    this.container = container;
    this.endpoint = endpoint;
    this.main = main;
    this.properties = container.getContainerProperties();
    this.name = String.valueOf(container.getListenerId());
  }

  /**
   * Returns what guards the container, null if nothing is to.
   *
   * @throws IllegalArgumentException if it cannot be guarded as its options say
   */
  @Nullable GuardedContainer read() {
    TopicRules<ListenerOptions> options =
        ChosenOptions.of(
            guards,
            name,
            topics(main == null ? container : main),
            endpoint == null ? null : AnnotatedOptions.of(endpoint));
    if (options == null) {
      return null;
    }
    Set<String> own = topics(container);
    Set<String> originals = main == null ? own : topics(main);
    ListenerMode mode = mode(options, originals);
    check(mode);
    Deduplicator deduplicator = guards.deduplicator(name, mode);
    ClientSettings settings = settings();
    Admin admin = guards.admins().of(settings.ofAdmin());
    boolean waits = isManual() || isAsync();
    Policy policy =
        settings.policy(
            deduplicator,
            guards.lease(),
            waits ? deduplicator.policy().maxProcessing() : null,
            admin);
    options.forEach(
        (topic, one) -> {
          if (one.lease() != null) {
            // Refused here if it does not go with the consumer's times.
            settings.policy(deduplicator, one.lease(), null, admin);
          }
        });
    RecordAsks asks = asks(deduplicator, settings.group(), policy, options, own, originals, admin);
    ContainerGuard guard =
        new ContainerGuard(
            name,
            deduplicator,
            mode,
            asks,
            main == null ? topic -> guard(options, topic) : topic -> guardOfCopies(options),
            properties.getKafkaAwareTransactionManager() != null,
            guards.window(),
            guards.clock(),
            properties.isObservationEnabled() ? guards.observations() : null);
    return new GuardedContainer(container, guard, originals, policy);
  }

  private ListenerMode mode(TopicRules<ListenerOptions> options, Set<String> topics) {
    Set<ListenerMode> modes = new HashSet<>();
    if (topics.isEmpty()) {
      options.forEach((text, one) -> modes.add(one.mode()));
    } else {
      topics.forEach(topic -> modes.add(options.get(topic).mode()));
    }
    if (modes.size() > 1) {
      throw new IllegalArgumentException(
          "listener "
              + name
              + ", mode: was "
              + new TreeSet<>(modes)
              + " for its topics "
              + topics
              + ", must be the same for all topics of a listener");
    }
    return modes.iterator().next();
  }

  private void check(ListenerMode mode) {
    boolean producer = properties.getKafkaAwareTransactionManager() != null;
    boolean database = mode != ListenerMode.LEASE;
    if (isAsync() && (database || producer)) {
      throw new IllegalArgumentException(
          "listener "
              + name
              + ": was asynchronous in "
              + (database ? "mode " + mode : "a Kafka transaction")
              + ", must not be: the transaction is over before the value completes");
    }
    if (database && producer) {
      throw new IllegalArgumentException(
          "listener "
              + name
              + ", mode: was "
              + mode
              + " within a Kafka transaction, must be LEASE: where the database has committed and"
              + " the Kafka transaction has not, a skip would lose what the listener has sent");
    }
  }

  private boolean isManual() {
    ContainerProperties.AckMode mode = properties.getAckMode();
    return mode == ContainerProperties.AckMode.MANUAL
        || mode == ContainerProperties.AckMode.MANUAL_IMMEDIATE;
  }

  private boolean isAsync() {
    boolean async =
        properties.getMessageListener() instanceof AsyncRepliesAware aware
            && aware.isAsyncReplies();
    return async || properties.isAsyncAcks();
  }

  private ClientSettings settings() {
    Map<String, Object> client =
        new HashMap<>(GuardedContainer.consumers(container).getConfigurationProperties());
    properties
        .getKafkaConsumerProperties()
        .forEach((key, value) -> client.put(key.toString(), value));
    AbstractMessageListenerContainer<?, ?> grouped = main == null ? container : main;
    if (grouped.getGroupId() != null) {
      client.put(ConsumerConfig.GROUP_ID_CONFIG, grouped.getGroupId());
    }
    try {
      return ClientSettings.of(client);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("listener " + name + ": " + e.getMessage(), e);
    }
  }

  private RecordAsks asks(
      Deduplicator deduplicator,
      String group,
      Policy policy,
      TopicRules<ListenerOptions> options,
      Set<String> own,
      Set<String> originals,
      Admin admin) {
    RecordDeduplicator.Builder records =
        RecordDeduplicator.builder(deduplicator, group)
            .admin(admin)
            .policy(policy)
            .topics(options.map(ContainerReader::topicOptions));
    if (main != null) {
      for (String copies : own) {
        records.copies(new DeadLetterReplay(copies, originals, group));
      }
    }
    return records.build().asks();
  }

  static UnaryOperator<TopicOptions> topicOptions(ListenerOptions options) {
    Duration lease = options.lease();
    UnaryOperator<TopicOptions> topic = options.topic();
    return lease == null ? topic : named -> topic.apply(named).lease(lease);
  }

  static @Nullable GuardSwitch guard(TopicRules<ListenerOptions> options, String topic) {
    return options.find(topic).map(ListenerOptions::guard).orElse(null);
  }

  /** A retry topic's records are as guarded as the main topic's that is guarded most. */
  private static GuardSwitch guardOfCopies(TopicRules<ListenerOptions> options) {
    List<GuardSwitch> all = new ArrayList<>();
    options.forEach((topic, one) -> all.add(one.guard()));
    return all.contains(GuardSwitch.ENFORCE) ? GuardSwitch.ENFORCE : all.get(0);
  }

  /** Returns the names of the container's topics, none if it subscribes to a pattern. */
  static Set<String> topics(AbstractMessageListenerContainer<?, ?> container) {
    ContainerProperties properties = container.getContainerProperties();
    if (properties.getTopics() != null) {
      return Set.of(properties.getTopics());
    }
    TopicPartitionOffset[] partitions = properties.getTopicPartitions();
    Function<TopicPartitionOffset, String> topic = TopicPartitionOffset::getTopic;
    return partitions == null
        ? Set.of()
        : new TreeSet<>(Arrays.stream(partitions).map(topic).toList());
  }
}
