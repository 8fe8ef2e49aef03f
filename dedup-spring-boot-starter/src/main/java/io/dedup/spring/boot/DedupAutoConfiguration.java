// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.DedupListener;
import io.dedup.Deduplicator;
import io.dedup.EffectProbe;
import io.dedup.Policy;
import io.dedup.Transactions;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.kafka.spring.SpringKeys;
import io.dedup.key.KeyFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Sets up the application's claim store and deduplicators.
 *
 * <p>The store is the application's own bean of type {@link ClaimStore}, else what {@code
 * dedup.store} says, else the only one there is a connection for. Every {@link DedupListener} bean
 * is told what happens.
 */
@AutoConfiguration(before = {DedupRedisAutoConfiguration.class, DedupJdbcAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "dedup.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DedupProperties.class)
@ImportRuntimeHints(DedupRuntimeHints.class)
public final class DedupAutoConfiguration {

  static final String STORE = "dedupClaimStore";

  private static final Logger log = LoggerFactory.getLogger(DedupAutoConfiguration.class);

  /** Made by Boot. */
  DedupAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  KeyFormat dedupKeyFormat(DedupProperties properties) {
    return KeyForms.of(properties);
  }

  @Bean
  DeduplicatorParts dedupDeduplicatorParts(
      DedupProperties properties,
      ConfigurableEnvironment environment,
      ObjectProvider<EffectProbe> probe,
      ObjectProvider<DedupListener> listeners) {
    UnknownProperties.refuse(environment);
    Policy policy = properties.policy().toPolicy(probe.getIfUnique());
    return new DeduplicatorParts(properties, policy, listeners.orderedStream().toList());
  }

  @Bean
  @ConditionalOnMissingBean
  KeyParser dedupKeyParser() {
    return SpringKeys::parse;
  }

  @Bean
  DedupTopics dedupTopics(
      DeduplicatorParts parts,
      ConfigurableEnvironment environment,
      KeyParser keys,
      ObjectProvider<EffectProbe> probe) {
    TopicReading reading = new TopicReading(keys, parts.policy(), probe.getIfUnique());
    return DedupTopics.read(environment, parts.properties().kafka().defaults(), reading);
  }

  @Bean
  StoreSelection dedupStoreSelection(
      ListableBeanFactory beans, DeduplicatorParts parts, ObjectProvider<StoreOption> options) {
    return beans.containsBeanDefinition(STORE)
        ? StoreSelection.of(parts.properties().store(), options)
        : StoreSelection.ofApplication(options);
  }

  @Bean
  HotStores dedupHotStores(DedupProperties properties) {
    return new HotStores(properties.hotKeys());
  }

  @Bean(STORE)
  @ConditionalOnMissingBean
  ClaimStore dedupClaimStore(
      StoreSelection selection,
      DedupProperties properties,
      HotStores hot,
      ObjectProvider<StoreTime> time,
      ObjectProvider<StoreMeasure> measure) {
    try {
      ClaimStore store =
          hot.around(
              selection.kind(),
              selection.open(
                  properties.memory(),
                  time.getIfAvailable(StoreTime::ofServer),
                  measure.getIfAvailable(() -> (name, unmeasured) -> unmeasured)));
      log.info("claims are kept in: {}; keys are kept as: {}", selection, properties.keyFormat());
      return store;
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage()).replace("maxRecords", "max-records");
      throw ConfigurationRefused.property("dedup.memory." + message, "", e);
    }
  }

  @Bean
  @ConditionalOnMissingBean
  Deduplicator dedupDeduplicator(
      ClaimStore store, DeduplicatorParts parts, ObjectProvider<Transactions> transactions) {
    Deduplicator.Builder builder = parts.builder(store);
    // What a handler does in a transaction of its caller is not done before that has committed.
    Transactions port = transactions.getIfUnique();
    return (port == null ? builder : builder.afterCommitOf(port)).build();
  }

  @Bean
  @ConditionalOnMissingBean
  Deduplicators dedupDeduplicators(ListableBeanFactory beans) {
    return new Deduplicators(beans);
  }

  /** What topics ask for is looked at before the first listener starts. */
  @Bean
  SmartInitializingSingleton dedupStartCheck(DedupTopics topics, Deduplicators deduplicators) {
    return () -> {
      for (Mode mode : Mode.values()) {
        String rule = topics.anyRuleOf(mode);
        if (rule != null && mode.isTransactional()) {
          deduplicators.of(mode, rule + ".mode");
        }
      }
    };
  }
}
