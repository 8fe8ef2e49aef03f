// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Adds what would break the promise to the application's health. */
@AutoConfiguration(after = {DedupAutoConfiguration.class, DedupJdbcAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(StoreSelection.class)
public final class DedupHealthAutoConfiguration {

  /** Made by Boot. */
  DedupHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnEnabledHealthIndicator("dedup")
  @ConditionalOnMissingBean(name = "dedupHealthIndicator")
  HealthIndicator dedupHealthIndicator(
      StoreSelection selection,
      DedupTopics topics,
      Deduplicators deduplicators,
      ObjectProvider<StoreInspection> inspections) {
    List<StoreInspection> all = inspections.orderedStream().toList();
    // Methods of beans ask for modes after this is made.
    return new DedupHealth(
        () ->
            all.stream()
                .filter(one -> used(selection, topics, deduplicators, one.kind()))
                .toList());
  }

  private static boolean used(
      StoreSelection selection, DedupTopics topics, Deduplicators deduplicators, StoreKind kind) {
    return selection.uses(kind)
        || (kind == StoreKind.JDBC
            && (topics.anyTransactional() || deduplicators.anyTransactional()))
        || (kind == StoreKind.REDIS && (topics.anyTiered() || deduplicators.anyTiered()));
  }
}
