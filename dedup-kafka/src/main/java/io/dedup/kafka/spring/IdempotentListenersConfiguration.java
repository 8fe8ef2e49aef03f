// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** The beans that guard listeners. Imported by {@link EnableIdempotentListeners}. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class IdempotentListenersConfiguration {

  /** Makes the beans. */
  public IdempotentListenersConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RegistryDefinition dedupListenerRegistryDefinition() {
    return new RegistryDefinition();
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static ContainerBeans dedupContainerBeans(ObjectProvider<ListenerGuards> guards) {
    return new ContainerBeans(guards);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  ListenerStart dedupListenerStart(
      ObjectProvider<ListenerGuards> guards,
      ObjectProvider<KafkaListenerEndpointRegistry> registry) {
    return new ListenerStart(guards, registry);
  }
}
