// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.apache.kafka.clients.consumer.Consumer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.ConsumerPostProcessor;

/**
 * Has a consumer factory make consumers that know of guards. A factory that takes no
 * post-processors goes on without: the guarded listener is correct alone, and stores each
 * completion at once.
 */
final class ConsumerProxies<K, V> implements ConsumerPostProcessor<K, V> {

  static <K, V> void installIn(ConsumerFactory<K, V> factory) {
    if (factory.getPostProcessors().stream().noneMatch(ConsumerProxies.class::isInstance)) {
      factory.addPostProcessor(new ConsumerProxies<>());
    }
  }

  @Override
  public Consumer<K, V> apply(Consumer<K, V> consumer) {
    return GuardedConsumer.around(consumer);
  }
}
