// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.State;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;

/** A Kafka transaction that does not commit, of which the container tells nobody. */
class FencedProducerTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private final AtomicBoolean fences = new AtomicBoolean(true);

  @Test
  void whatAListenerDidBeforeItsProducerWasFencedIsNotTakenForDone() {
    SpringBroker broker = new SpringBroker(kafka.get());
    try (SpringRun run = new SpringRun(broker)) {
      run.containers(
          factory ->
              factory
                  .getContainerProperties()
                  .setKafkaAwareTransactionManager(
                      new KafkaTransactionManager<>(producers(broker, run.id()))));
      run.start(new ShapeBeans.OfRecord(run.effects()));
      String sent = run.send(0, "paid");
      broker.flush();

      await().atMost(SpringRun.BOUND).until(() -> state(run) == State.RELEASED);
      run.restartFromTheBeginning();
      run.awaitEnd();

      assertThat(run.effects().done()).containsExactly(sent, sent);
      await().atMost(SpringRun.BOUND).until(() -> state(run) == State.SUCCEEDED);
    } finally {
      broker.close();
    }
  }

  private static State state(SpringRun run) {
    return run.store().find(run.key("paid")).map(ClaimRecord::state).orElse(State.ISSUED);
  }

  private DefaultKafkaProducerFactory<String, String> producers(SpringBroker broker, String id) {
    DefaultKafkaProducerFactory<String, String> producers =
        new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    producers.setTransactionIdPrefix(id);
    producers.addPostProcessor(this::fencedOnce);
    return producers;
  }

  /** The first commit finds that another producer has the transactional id. */
  @SuppressWarnings("unchecked")
  private Producer<String, String> fencedOnce(Producer<String, String> producer) {
    return (Producer<String, String>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commitTransaction") && fences.getAndSet(false)) {
                producer.abortTransaction();
                throw new ProducerFencedException("fenced");
              }
              try {
                return method.invoke(producer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
