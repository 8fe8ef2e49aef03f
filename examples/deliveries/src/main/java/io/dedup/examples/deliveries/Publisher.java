// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Publishes deliveries, each with a null key. */
final class Publisher implements AutoCloseable {

  static final String ID_HEADER = "X-GitHub-Delivery";
  static final String EVENT_HEADER = "X-GitHub-Event";

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  Publisher(Run run) {
    this.topic = run.topic();
    this.producer = new KafkaProducer<>(Member.producerProperties(run.kafka()));
  }

  void publish(WebhookDelivery delivery) {
    List<Header> headers =
        List.of(
            new RecordHeader(ID_HEADER, delivery.id().getBytes(UTF_8)),
            new RecordHeader(EVENT_HEADER, delivery.event().getBytes(UTF_8)));
    // A failure is kept for the flush that follows.
    Future<RecordMetadata> unused =
        producer.send(
            new ProducerRecord<>(topic, null, null, null, delivery.payload(), headers),
            (metadata, exception) -> {
              if (exception != null) {
                failure.compareAndSet(null, exception);
              }
            });
  }

  /** Waits until all of it is published. */
  void flush() {
    producer.flush();
    Exception first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a delivery was not published", first);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
