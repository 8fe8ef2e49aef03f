// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Comes before all listeners start: reads what there is to know of their topics, and stops the
 * start if one that should be guarded is not.
 */
final class ListenerStart implements SmartLifecycle {

  private final ObjectProvider<ListenerGuards> guards;
  private final ObjectProvider<KafkaListenerEndpointRegistry> registry;
  private volatile boolean running;

  ListenerStart(
      ObjectProvider<ListenerGuards> guards,
      ObjectProvider<KafkaListenerEndpointRegistry> registry) {
    this.guards = guards;
    this.registry = registry;
  }

  @Override
  public void start() {
    ListenerGuards found = guards.getObject();
    registry.ifAvailable(
        containers -> {
          if (!(containers instanceof GuardedListenerEndpointRegistry)) {
            throw new IllegalStateException(
                "listener registry: was "
                    + containers.getClass().getName()
                    + ", must extend "
                    + GuardedListenerEndpointRegistry.class.getName());
          }
          for (MessageListenerContainer one : containers.getAllListenerContainers()) {
            if (one instanceof AbstractMessageListenerContainer<?, ?> container
                && container.getContainerProperties().getMessageListener() != null
                && !found.isGuarded(container)
                && !container.isRunning()) {
              found.guard(container, null);
              found.finish(container);
            }
          }
        });
    found.prepare();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }
}
