// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/**
 * Has a producer factory make producers that say when a Kafka transaction has committed. Nobody
 * else does: a producer that is fenced leaves its container no rollback to act upon, and what its
 * listener has done must not count then.
 */
final class GuardedProducers<K, V> implements ProducerPostProcessor<K, V> {

  /**
   * Installs it.
   *
   * @throws IllegalArgumentException if the factory takes no post-processors
   */
  static <K, V> void installIn(ProducerFactory<K, V> factory, String listener) {
    if (isIn(factory)) {
      return;
    }
    factory.addPostProcessor(new GuardedProducers<>());
    if (!isIn(factory)) {
      throw new IllegalArgumentException(
          "listener "
              + listener
              + ", producer factory of its Kafka transactions: was "
              + factory.getClass().getName()
              + ", must take post-processors: nobody else tells whether a transaction committed");
    }
    // Producers that were made before would not tell.
    factory.reset();
  }

  private static boolean isIn(ProducerFactory<?, ?> factory) {
    return factory.getPostProcessors().stream().anyMatch(GuardedProducers.class::isInstance);
  }

  @Override
  @SuppressWarnings("unchecked")
  public Producer<K, V> apply(Producer<K, V> producer) {
    return (Producer<K, V>)
        Proxy.newProxyInstance(
            GuardedProducers.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            new Telling(producer));
  }

  /** Tells the consumer's work in the same thread, after the broker has answered. */
  private record Telling(Producer<?, ?> producer) implements InvocationHandler {

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      Object result;
      try {
        result = method.invoke(producer, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
      ConsumerWork work = ConsumerWork.current();
      if (work != null && method.getName().equals("commitTransaction")) {
        work.committed();
      }
      return result;
    }
  }
}
