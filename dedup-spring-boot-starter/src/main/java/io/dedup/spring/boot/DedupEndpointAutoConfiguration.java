// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

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
      ObjectProvider<StoreMeasure> measure,
      ApplicationEventPublisher events) {
    StoreMeasure meters = measure.getIfAvailable(() -> (name, unmeasured) -> unmeasured);
    return new DedupEndpoint(selection.ofAllModes(store, topics, meters), events);
  }
}
