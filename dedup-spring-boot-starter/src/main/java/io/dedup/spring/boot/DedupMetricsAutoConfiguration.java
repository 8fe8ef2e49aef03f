// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.http.HttpListener;
import io.dedup.micrometer.DedupMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Binds the meters to the application's registry, where it has one. */
@AutoConfiguration(
    before = DedupAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
    })
@ConditionalOnBooleanProperty(
    name = {"dedup.enabled", "dedup.metrics.enabled"},
    matchIfMissing = true)
@ConditionalOnClass({DedupMeters.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
public final class DedupMetricsAutoConfiguration {

  /** Made by Boot. */
  DedupMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  DedupMeters dedupMeters(MeterRegistry registry, DedupProperties properties) {
    try {
      return DedupMeters.of(registry, properties.metrics().maxSources());
    } catch (IllegalArgumentException e) {
      throw ConfigurationRefused.property("dedup.metrics." + e.getMessage(), "", e);
    }
  }

  /** Of the store that claims are kept in; of a tiered one that is the database. */
  @Bean
  KeyCounting dedupKeyCounting(
      DedupMeters meters,
      DedupProperties properties,
      ObjectProvider<ClaimStore> store,
      ObjectProvider<StoreSelection> selection) {
    return new KeyCounting(
        properties.metrics().storeKeysInterval(),
        () -> store.getObject().stats(),
        stats -> meters.storeKeys(selection.getObject().toString(), stats));
  }

  /** Of what was answered without a store; a duplicate counts in dedup.claims all the same. */
  @Bean
  MeterBinder dedupHotKeyMeters(ObjectProvider<HotStores> hot) {
    return registry -> {
      HotStores stores = hot.getIfAvailable();
      if (stores != null) {
        counter(registry, stores, "completed", HotStores::completedAnswers);
        counter(registry, stores, "in_progress", HotStores::busyAnswers);
      }
    };
  }

  private static void counter(
      MeterRegistry registry, HotStores stores, String answer, ToDoubleFunction<HotStores> count) {
    FunctionCounter.builder("dedup.local.answers", stores, count)
        .description("claims that were answered without the store")
        .tag("answer", answer)
        .register(registry);
  }

  @Bean
  @ConditionalOnWebApplication
  HttpListener dedupHttpMeters(MeterRegistry registry, DedupProperties properties) {
    return HttpMeters.of(registry, properties.metrics().maxSources());
  }

  @Bean
  StoreMeasure dedupStoreMeasure(DedupMeters meters) {
    return meters::timed;
  }
}
