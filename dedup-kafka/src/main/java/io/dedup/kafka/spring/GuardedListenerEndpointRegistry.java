// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.config.AbstractKafkaListenerEndpoint;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;

/**
 * The registry of an application whose listeners are guarded: here each listener meets its
 * container, whatever factory makes it. An application with a registry of its own extends this one.
 */
public class GuardedListenerEndpointRegistry extends KafkaListenerEndpointRegistry {

  private @Nullable ApplicationContext context;

  /** Makes a registry that finds the {@link ListenerGuards} in its application context. */
  public GuardedListenerEndpointRegistry() {}

  @Override
  public void setApplicationContext(ApplicationContext applicationContext) {
    super.setApplicationContext(applicationContext);
    this.context = applicationContext;
  }

  @Override
  protected MessageListenerContainer createListenerContainer(
      KafkaListenerEndpoint endpoint, KafkaListenerContainerFactory<?> factory) {
    ListenerGuards guards =
        Objects.requireNonNull(context, "application context").getBean(ListenerGuards.class);
    if (endpoint instanceof AbstractKafkaListenerEndpoint<?, ?> configurable) {
      // Last of all that changes a container, and before retry topics put their back-off around it.
      ContainerPostProcessor<?, ?, ?> users = configurable.getContainerPostProcessor();
      configurable.setContainerPostProcessor(new Guarding<>(guards, endpoint, users));
    }
    MessageListenerContainer container = super.createListenerContainer(endpoint, factory);
    if (container instanceof ShareKafkaMessageListenerContainer<?, ?> share) {
      guards.guard(share, endpoint);
    }
    guards.finish(container);
    return container;
  }

  private record Guarding<K, V>(
      ListenerGuards guards,
      KafkaListenerEndpoint endpoint,
      @Nullable ContainerPostProcessor<?, ?, ?> users)
      implements ContainerPostProcessor<K, V, AbstractMessageListenerContainer<K, V>> {

    @Override
    @SuppressWarnings("unchecked")
    public void postProcess(AbstractMessageListenerContainer<K, V> container) {
      if (users != null) {
        ((ContainerPostProcessor<K, V, AbstractMessageListenerContainer<K, V>>) users)
            .postProcess(container);
      }
      guards.guard(container, endpoint);
    }
  }
}
