// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.kafka.support.converter.StringJacksonJsonMessageConverter;
import org.springframework.util.backoff.FixedBackOff;

/** Topics, payloads in JSON, and what happens to records that fail: three tries, then a letter. */
@Configuration(proxyBeanMethods = false)
class Messaging {

  static final String PAYMENTS = "payments";
  static final String FEES = "fees";
  static final String DEAD_PAYMENTS = "payments-dlt";
  private static final int PARTITIONS = 3;

  @Bean
  KafkaAdmin.NewTopics topics() {
    return new KafkaAdmin.NewTopics(
        topic(PAYMENTS), topic(DEAD_PAYMENTS), topic(FEES), topic("fees-dlt"));
  }

  private static NewTopic topic(String name) {
    return TopicBuilder.name(name).partitions(PARTITIONS).build();
  }

  @Bean
  RecordMessageConverter jsonPayloads() {
    return new StringJacksonJsonMessageConverter();
  }

  @Bean
  CommonErrorHandler retriesAndDeadLetters(KafkaTemplate<?, ?> template) {
    return new DefaultErrorHandler(
        new DeadLetterPublishingRecoverer(template), new FixedBackOff(100, 2));
  }
}
