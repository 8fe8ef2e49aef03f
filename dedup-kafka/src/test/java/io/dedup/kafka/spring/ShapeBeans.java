// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import reactor.core.publisher.Mono;

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

  record OfMessages(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<Message<String>> messages) {
      effects.batch(messages.stream().map(Message::getPayload).toList());
    }
  }

  record OfMessagesManually(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<Message<String>> messages, Acknowledgment acknowledgment) {
      effects.batch(messages.stream().map(Message::getPayload).toList());
      acknowledgment.acknowledge();
    }
  }

  /** Acknowledges each record of its batch by its place. */
  record OfRecordsOneByOne(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    void on(List<ConsumerRecord<String, String>> records, Acknowledgment acknowledgment) {
      effects.batchCalled(records.size());
      for (int i = 0; i < records.size(); i++) {
        try {
          effects.attempt(records.get(i).value());
        } catch (IllegalStateException e) {
          throw new BatchListenerFailedException("failed", e, i);
        }
        acknowledgment.acknowledge(i);
      }
    }
  }

  /** Has a method for each type of payload. */
  @KafkaListener(id = ID, topics = TOPIC)
  record OfHandlers(Effects effects) {
    @KafkaHandler
    void on(String value) {
      effects.one(value);
    }

    @KafkaHandler(isDefault = true)
    @SuppressWarnings("DoNotCallSuggester") // Spring calls it, for what should not come.
    void onOther(Object other) {
      throw new IllegalArgumentException("unknown " + other.getClass());
    }
  }

  record OfRecordsLater(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC, batch = "true")
    CompletableFuture<Void> on(List<ConsumerRecord<String, String>> records) {
      effects.batch(records.stream().map(ConsumerRecord::value).toList());
      return CompletableFuture.runAsync(() -> {}, OfRecordLater.LATER);
    }
  }

  record OfRecordReactively(Effects effects) {
    @KafkaListener(id = ID, topics = TOPIC)
    Mono<Void> on(ConsumerRecord<String, String> record) {
      effects.one(record.value());
      return Mono.delay(Duration.ofMillis(5)).then();
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
