// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Deduplicator;
import io.dedup.Policy;
import io.dedup.kafka.RecordAsks;
import io.dedup.kafka.RecordDeduplicator;
import io.dedup.kafka.topic.TopicRules;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.core.ShareConsumerFactory;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * Puts the guard around the listener of a share group (KIP-932), which gets record by record,
 * without partitions that are its own, and each a bounded number of times.
 */
final class GuardedShareContainer {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedShareContainer.class);
  private static final String ACKNOWLEDGEMENT = "share.acknowledgement.mode";

  private final ListenerGuards guards;
  private final ShareKafkaMessageListenerContainer<?, ?> container;
  private final KafkaListenerEndpoint endpoint;
  private final String name;

  GuardedShareContainer(
      ListenerGuards guards,
      ShareKafkaMessageListenerContainer<?, ?> container,
      KafkaListenerEndpoint endpoint) {
    this.guards = guards;
    this.container = container;
    this.endpoint = endpoint;
    this.name = String.valueOf(endpoint.getId());
  }

  /**
   * Guards it if its topics have options.
   *
   * @return what is to be done before it starts; null if it is not guarded
   * @throws IllegalArgumentException if it cannot be guarded as its options say
   */
  @Nullable Runnable install() {
    String[] subscribed = container.getContainerProperties().getTopics();
    Set<String> topics = subscribed == null ? Set.of() : Set.copyOf(Arrays.asList(subscribed));
    TopicRules<ListenerOptions> options =
        ChosenOptions.of(guards, name, topics, AnnotatedOptions.of(endpoint));
    if (options == null) {
      return null;
    }
    Map<String, Object> client = client();
    check(options, client);
    Deduplicator deduplicator = guards.deduplicator(name, ListenerMode.LEASE);
    Admin admin = guards.admins().of(ofAdmin(client));
    String group = group(client);
    ShareTerms terms = ShareTerms.of(admin, group);
    Policy policy = policy(deduplicator, terms);
    RecordAsks asks =
        RecordDeduplicator.builder(deduplicator, group)
            .admin(admin)
            .policy(policy)
            .topics(options.map(ContainerReader::topicOptions))
            .build()
            .asks();
    ContainerGuard guard =
        new ContainerGuard(
            name,
            deduplicator,
            ListenerMode.LEASE,
            asks,
            topic -> ContainerReader.guard(options, topic),
            false,
            1,
            guards.clock(),
            null);
    container.setupMessageListener(
        new GuardedShareListener<>(listener(), guard, terms, guards.recoverer(), acknowledges()));
    if (guards.recoverer() == null) {
      LOG.warn(
          "listener {}: there is no recoverer, so a record that is refused, or handed out {} times"
              + " in vain, is rejected and only logged",
          name,
          terms.deliveries());
    }
    return () -> {
      guard.prepare(topics);
      LOG.info(
          "listener {}: topics {}, share group {}, mode LEASE, lease {}, up to {} deliveries",
          name,
          topics,
          group,
          policy.lease(),
          terms.deliveries());
    };
  }

  private void check(TopicRules<ListenerOptions> options, Map<String, Object> client) {
    options.forEach(
        (topic, one) -> {
          if (one.mode() != ListenerMode.LEASE) {
            throw new IllegalArgumentException(
                "listener "
                    + name
                    + ", mode: was "
                    + one.mode()
                    + " in a share group, must be LEASE");
          }
        });
    Object mode = client.get(ACKNOWLEDGEMENT);
    if (!"explicit".equalsIgnoreCase(String.valueOf(mode))) {
      throw new IllegalArgumentException(
          "listener "
              + name
              + ", "
              + ACKNOWLEDGEMENT
              + " of its share consumer factory: was "
              + mode
              + ", must be explicit: else a record that its listener fails at counts as accepted");
    }
  }

  private Policy policy(Deduplicator deduplicator, ShareTerms terms) {
    Duration chosen = guards.lease();
    Duration usual = deduplicator.policy().lease();
    Duration longest = terms.patience();
    if (chosen != null && chosen.compareTo(terms.lock()) >= 0) {
      throw new IllegalArgumentException(
          "listener "
              + name
              + ", lease: was "
              + chosen
              + ", must be below the group's share.record.lock.duration.ms, "
              + terms.lock());
    }
    Duration lease = chosen != null ? chosen : usual.compareTo(longest) < 0 ? usual : longest;
    return deduplicator.policy().with(p -> p.lease(lease).inProgressWait(Duration.ZERO));
  }

  private GenericMessageListener<?> listener() {
    return (GenericMessageListener<?>)
        Objects.requireNonNull(
            container.getContainerProperties().getMessageListener(), "message listener");
  }

  /** Whether the listener acknowledges by itself; else its return is the acknowledgement. */
  private boolean acknowledges() {
    Method method =
        endpoint instanceof MethodKafkaListenerEndpoint<?, ?> annotated
            ? annotated.getMethod()
            : null;
    return method == null
        || Arrays.asList(method.getParameterTypes()).contains(ShareAcknowledgment.class);
  }

  private Map<String, Object> client() {
    Object factory = new DirectFieldAccessor(container).getPropertyValue("shareConsumerFactory");
    Map<String, Object> client =
        new HashMap<>(
            ((ShareConsumerFactory<?, ?>) Objects.requireNonNull(factory))
                .getConfigurationProperties());
    container
        .getContainerProperties()
        .getKafkaConsumerProperties()
        .forEach((key, value) -> client.putIfAbsent(key.toString(), value));
    return client;
  }

  private String group(Map<String, Object> client) {
    String own = container.getContainerProperties().getGroupId();
    return own == null ? String.valueOf(client.get(CommonClientConfigs.GROUP_ID_CONFIG)) : own;
  }

  private static Map<String, Object> ofAdmin(Map<String, Object> client) {
    Map<String, Object> admin = new HashMap<>(client);
    admin.keySet().retainAll(AdminClientConfig.configNames());
    return admin;
  }
}
