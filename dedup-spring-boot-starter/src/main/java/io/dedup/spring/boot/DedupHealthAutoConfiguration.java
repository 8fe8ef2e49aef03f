// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

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
      StoreSelection selection, DedupTopics topics, ObjectProvider<StoreInspection> inspections) {
    return new DedupHealth(
        inspections.orderedStream().filter(one -> used(selection, topics, one.kind())).toList());
  }

  private static boolean used(StoreSelection selection, DedupTopics topics, StoreKind kind) {
    return selection.uses(kind)
        || (kind == StoreKind.JDBC && topics.anyTransactional())
        || (kind == StoreKind.REDIS && topics.anyTiered());
  }
}
