// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sends dead letters to their topic again, once each, when an operator asks for it. A replayed
 * record has its original's key: it runs if that failed, and is a duplicate if it was done.
 */
@RestController
class DeadLetters {

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final String LISTENER = "dead-payments";
  private static final String REPLAYED = "replayed";

  private final KafkaTemplate<String, String> template;
  private final KafkaListenerEndpointRegistry listeners;

  DeadLetters(KafkaTemplate<String, String> template, KafkaListenerEndpointRegistry listeners) {
    this.template = template;
    this.listeners = listeners;
  }

  @PostMapping("/dead-letters/replay")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void replay() {
    var container = listeners.getListenerContainer(LISTENER);
    if (container != null) {
      container.start();
    }
  }

  /** Not guarded: a letter that is sent twice is a duplicate in its topic. */
  @KafkaListener(id = LISTENER, topics = Messaging.DEAD_PAYMENTS, autoStartup = "false")
  void on(ConsumerRecord<String, String> letter) {
    if (letter.headers().lastHeader(REPLAYED) != null) {
      log.warn("{}@{} stays dead", letter.topic(), letter.offset());
      return;
    }
    ProducerRecord<String, String> copy =
        new ProducerRecord<>(
            Messaging.PAYMENTS, null, letter.key(), letter.value(), letter.headers());
    copy.headers().add(REPLAYED, "yes".getBytes(UTF_8));
    template.send(copy).join();
  }
}
