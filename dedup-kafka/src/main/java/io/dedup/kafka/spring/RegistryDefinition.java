// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.kafka.config.KafkaListenerConfigUtils;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Makes our registry of listeners the application's, in place of the usual one. */
final class RegistryDefinition implements BeanDefinitionRegistryPostProcessor, Ordered {

  private static final String NAME =
      KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME;

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    if (!registry.containsBeanDefinition(NAME)) {
      // Whoever enables listeners later leaves one that is there alone.
      registry.registerBeanDefinition(
          NAME, new RootBeanDefinition(GuardedListenerEndpointRegistry.class));
      return;
    }
    BeanDefinition definition = registry.getBeanDefinition(NAME);
    if (KafkaListenerEndpointRegistry.class.getName().equals(definition.getBeanClassName())
        && definition instanceof AbstractBeanDefinition usual) {
      usual.setBeanClass(GuardedListenerEndpointRegistry.class);
    }
  }

  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
