// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.kafka.spring.IdempotentListenersConfiguration;
import io.dedup.kafka.spring.ListenerGuards;
import io.dedup.kafka.spring.ListenerMode;
import io.dedup.kafka.spring.ListenerOptions;
import io.dedup.kafka.topic.TopicRules;
import io.micrometer.observation.ObservationRegistry;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;

/** Guards the application's {@code @KafkaListener}s. */
@AutoConfiguration(
    after = {DedupAutoConfiguration.class, DedupTransactionsAutoConfiguration.class},
    afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnBooleanProperty(name = "dedup.enabled", matchIfMissing = true)
@ConditionalOnClass(EnableKafka.class)
@Import(IdempotentListenersConfiguration.class)
public final class DedupListenersAutoConfiguration {

  /** Made by Boot. */
  DedupListenersAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  ListenerGuards dedupListenerGuards(
      DedupTopics topics,
      Deduplicators deduplicators,
      ObjectProvider<ObservationRegistry> observations,
      ObjectProvider<ConsumerRecordRecoverer> recoverer) {
    ListenerGuards.Builder guards =
        ListenerGuards.builder()
            .topics(rules(topics))
            .defaults(ListenerTopics.options(topics.defaults()))
            .observations(observations.getIfUnique())
            .recoverer(recoverer.getIfUnique());
    for (Mode mode : Mode.values()) {
      // Asked for by name of the mode alone: which property or annotation wants it, who knows.
      guards.deduplicator(
          ListenerMode.valueOf(mode.name()), () -> deduplicators.of(mode, "mode of a listener"));
    }
    return guards.build();
  }

  private static TopicRules<ListenerOptions> rules(DedupTopics topics) {
    Map<String, ListenerOptions> rules = new HashMap<>();
    topics.all().forEach((rule, settings) -> rules.put(rule, ListenerTopics.options(settings)));
    return TopicRules.of(rules);
  }
}
