// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;

/** Annotated listeners, one for each form of method. */
final class ShapeBeans {

  static final String ID = "#{@run.id()}";
  static final String TOPIC = "#{@run.topic()}";

  private ShapeBeans() {}

  record OfRecord(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC)
    void on(ConsumerRecord<String, String> record) {
      effects.one(record.value());
    }
  }

  record OfRecordManually(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC)
    void on(ConsumerRecord<String, String> record, Acknowledgment acknowledgment) {
      effects.one(record.value());
      acknowledgment.acknowledge();
    }
  }

  record OfRecords(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<ConsumerRecord<String, String>> records) {
      effects.batch(records.stream().map(ConsumerRecord::value).toList());
    }
  }

  record OfRecordsManually(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<ConsumerRecord<String, String>> records, Acknowledgment acknowledgment) {
      effects.batch(records.stream().map(ConsumerRecord::value).toList());
      acknowledgment.acknowledge();
    }
  }

  record OfPayloads(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<String> values) {
      effects.batch(values);
    }
  }

  record OfPayloadsManually(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<String> values, Acknowledgment acknowledgment) {
      effects.batch(values);
      acknowledgment.acknowledge();
    }
  }

  record OfPolled(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(ConsumerRecords<String, String> polled) {
      effects.batch(values(polled));
    }
  }

  record OfPolledManually(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(ConsumerRecords<String, String> polled, Acknowledgment acknowledgment) {
      effects.batch(values(polled));
      acknowledgment.acknowledge();
    }
  }

  record OfRecordLater(Effects effects) {
    private static final Executor LATER =
        CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

    @KafkaListener(id = ID, topics = TOPIC)
    CompletableFuture<Void> on(ConsumerRecord<String, String> record) {
      effects.one(record.value());
      return CompletableFuture.runAsync(() -> {}, LATER);
    }
  }

  private static List<String> values(ConsumerRecords<String, String> polled) {
    List<String> values = new ArrayList<>();
    polled.forEach(record -> values.add(record.value()));
    return values;
  }
}
