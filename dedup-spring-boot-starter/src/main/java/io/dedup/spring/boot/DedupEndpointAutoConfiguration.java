// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/** Adds the actuator's endpoint {@code dedup}, where it is exposed. */
@AutoConfiguration(after = DedupAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(StoreSelection.class)
public final class DedupEndpointAutoConfiguration {

  /** Made by Boot. */
  DedupEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint(endpoint = DedupEndpoint.class)
  DedupEndpoint dedupEndpoint(
      ClaimStore store,
      StoreSelection selection,
      DedupTopics topics,
      Deduplicators deduplicators,
      HotStores hot,
      ObjectProvider<StoreMeasure> measure,
      ApplicationEventPublisher events) {
    StoreMeasure meters = measure.getIfAvailable(() -> (name, unmeasured) -> unmeasured);
    // Methods of beans ask for modes after this is made.
    Supplier<List<ClaimStore>> stores =
        SingletonSupplier.of(
            () ->
                selection.ofAllModes(
                    store,
                    topics.anyTransactional() || deduplicators.anyTransactional(),
                    topics.anyTiered() || deduplicators.anyTiered(),
                    hot,
                    meters));
    return new DedupEndpoint(stores, events);
  }
}
