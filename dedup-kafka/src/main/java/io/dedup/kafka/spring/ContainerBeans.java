// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/** Guards containers that are beans and whose listener is set. Others are guarded at the start. */
final class ContainerBeans implements BeanPostProcessor {

  private final ObjectProvider<ListenerGuards> guards;

  ContainerBeans(ObjectProvider<ListenerGuards> guards) {
    this.guards = guards;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof AbstractMessageListenerContainer<?, ?> container
        && container.getContainerProperties().getMessageListener() != null) {
      ListenerGuards found = guards.getObject();
      found.guard(container, null);
      found.finish(container);
    }
    return bean;
  }
}
