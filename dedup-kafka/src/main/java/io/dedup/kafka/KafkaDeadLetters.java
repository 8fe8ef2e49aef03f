// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.kafka.topic.OriginalHeaders;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Dead letters in Kafka topics. Thread-safe. */
final class KafkaDeadLetters implements DeadLetters {

  /** Names the header that holds the {@link DeadLetter.Reason}. */
  static final String REASON_HEADER = "dedup-reason";

  private static final String EXCEPTION_CLASS = "kafka_dlt-exception-fqcn";
  private static final String EXCEPTION_CAUSE_CLASS = "kafka_dlt-exception-cause-fqcn";
  private static final String EXCEPTION_MESSAGE = "kafka_dlt-exception-message";
  private static final String EXCEPTION_STACKTRACE = "kafka_dlt-exception-stacktrace";

  private final Producer<byte[], byte[]> producer;
  private final Function<String, String> topicFor;
  private final Duration timeout;

  KafkaDeadLetters(
      Producer<byte[], byte[]> producer, Function<String, String> topicFor, Duration timeout) {
    this.producer = producer;
    this.topicFor = topicFor;
    this.timeout = timeout;
  }

  @Override
  public void publish(DeadLetter letter) throws Exception {
    ConsumerRecord<byte[], byte[]> record = letter.record();
    ProducerRecord<byte[], byte[]> copy =
        new ProducerRecord<>(
            topicFor.apply(record.topic()), null, record.key(), record.value(), record.headers());
    describe(copy.headers(), letter);
    // Waits for the broker: a letter that is only on its way may be lost, and its record with it.
    producer.send(copy).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void describe(Headers headers, DeadLetter letter) {
    OriginalHeaders.append(headers, letter.record(), letter.topic(), letter.group());
    set(headers, REASON_HEADER, letter.reason().name());
    Throwable cause = letter.cause();
    set(headers, EXCEPTION_MESSAGE, letter.detail());
    if (cause != null) {
      set(headers, EXCEPTION_CLASS, cause.getClass().getName());
      set(headers, EXCEPTION_CAUSE_CLASS, nameOf(cause.getCause()));
      set(headers, EXCEPTION_STACKTRACE, stackTrace(cause));
    }
  }

  /** Only the newest failure is told; that of an earlier hop would be taken for this one's. */
  private static void set(Headers headers, String name, @Nullable String value) {
    headers.remove(name);
    if (value != null) {
      headers.add(name, value.getBytes(UTF_8));
    }
  }

  private static @Nullable String nameOf(@Nullable Throwable throwable) {
    return throwable == null ? null : throwable.getClass().getName();
  }

  private static String stackTrace(Throwable cause) {
    StringWriter text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
