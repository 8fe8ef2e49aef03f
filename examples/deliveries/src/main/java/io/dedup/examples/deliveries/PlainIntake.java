// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import io.dedup.Deduplicator;
import io.dedup.kafka.BackOff;
import io.dedup.kafka.DeadLetters;
import io.dedup.kafka.IdempotentConsumer;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.key.KeyExtractors;
import java.time.Duration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/** Reads with the framework's own consumer. */
final class PlainIntake implements Intake {

  private final KafkaProducer<byte[], byte[]> producer;
  private final IdempotentConsumer<byte[], byte[]> consumer;

  PlainIntake(Run run, Deduplicator deduplicator, EffectTable effects) {
    this.producer = new KafkaProducer<>(Member.producerProperties(run.kafka()));
    this.consumer =
        IdempotentConsumer.<byte[], byte[]>builder(Member.consumerProperties(run))
            .topic(
                run.topic(),
                topic ->
                    topic
                        .key(KeyExtractors.header(Publisher.ID_HEADER))
                        .fingerprint(Fingerprints.raw())
                        .ttl(Duration.ofDays(1)))
            .deduplicator(deduplicator)
            .backOff(new BackOff(Member.FIRST_BACK_OFF, Member.LONGEST_BACK_OFF, Member.RETRIES))
            .deadLetters(DeadLetters.to(producer))
            .handler((record, context) -> effects.insert(record))
            .build();
  }

  @Override
  public void start() {
    consumer.start();
  }

  @Override
  public @Nullable Throwable failure() {
    return consumer.status().failure();
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
  }
}
