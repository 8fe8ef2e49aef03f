// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.kafka.IdempotentConsumer;
import io.dedup.kafka.key.KeyExtractors;
import org.jspecify.annotations.Nullable;

/** Our consumer on plain kafka-clients. */
final class PlainConsumerSession implements Session {

  private final Deduplication deduplication;
  private final IdempotentConsumer<byte[], byte[]> consumer;

  private PlainConsumerSession(Course course, Deduplication.Mode mode, int together) {
    this.deduplication = Deduplication.open(mode, course.stores());
    Effect effect = course.effect();
    this.consumer =
        IdempotentConsumer.<byte[], byte[]>builder(course.consumer())
            .topic(
                course.data().topic(),
                topic -> topic.key(KeyExtractors.header(Dataset.ID_HEADER)).ttl(Course.TTL))
            .deduplicator(deduplication.deduplicator())
            .handler((record, context) -> effect.run(record))
            .recordsPerTransaction(together)
            .build();
  }

  static Contender.Start in(Deduplication.Mode mode) {
    return in(mode, 1);
  }

  /** So many records in one transaction. */
  static Contender.Start in(Deduplication.Mode mode, int together) {
    return course -> {
      PlainConsumerSession session = new PlainConsumerSession(course, mode, together);
      session.consumer.start();
      return session;
    };
  }

  @Override
  public @Nullable Throwable failure() {
    return consumer.status().failure();
  }

  @Override
  public void close() {
    consumer.close();
    deduplication.close();
  }
}
