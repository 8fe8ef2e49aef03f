// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.kafka.topic.OriginalHeaders;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;

/** Dead letters in Kafka topics. Thread-safe. */
final class KafkaDeadLetters implements DeadLetters {

  /** Names the header that holds the {@link DeadLetter.Reason}. */
  static final String REASON_HEADER = "dedup-reason";

  private static final String EXCEPTION_CLASS = "kafka_dlt-exception-fqcn";
  private static final String EXCEPTION_CAUSE_CLASS = "kafka_dlt-exception-cause-fqcn";
  private static final String EXCEPTION_MESSAGE = "kafka_dlt-exception-message";
  private static final String EXCEPTION_STACKTRACE = "kafka_dlt-exception-stacktrace";

  private static final List<String> TOLD_ONCE =
      List.of(
          REASON_HEADER,
          EXCEPTION_CLASS,
          EXCEPTION_CAUSE_CLASS,
          EXCEPTION_MESSAGE,
          EXCEPTION_STACKTRACE);

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
    ProducerRecord<byte[], byte[]> copy = copy(letter);
    describeFailure(copy.headers(), letter);
    try {
      send(copy);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof RecordTooLargeException)) {
        throw e;
      }
      // A record may be as large as its own topic allows. What is told of the failure must not be
      // what keeps its letter from being kept.
      send(copy(letter));
    }
  }

  /** Waits for the broker: a letter that is only on its way may be lost, and its record with it. */
  private void send(ProducerRecord<byte[], byte[]> copy) throws Exception {
    producer.send(copy).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Only the newest failure is told; that of an earlier hop would be taken for this one's. */
  private ProducerRecord<byte[], byte[]> copy(DeadLetter letter) {
    ConsumerRecord<byte[], byte[]> record = letter.record();
    ProducerRecord<byte[], byte[]> copy =
        new ProducerRecord<>(
            topicFor.apply(record.topic()), null, record.key(), record.value(), record.headers());
    Headers headers = copy.headers();
    TOLD_ONCE.forEach(headers::remove);
    OriginalHeaders.append(headers, record, letter.topic(), letter.group());
    add(headers, REASON_HEADER, letter.reason().name());
    return copy;
  }

  private static void describeFailure(Headers headers, DeadLetter letter) {
    add(headers, EXCEPTION_MESSAGE, letter.detail());
    Throwable cause = letter.cause();
    if (cause != null) {
      add(headers, EXCEPTION_CLASS, cause.getClass().getName());
      add(headers, EXCEPTION_STACKTRACE, stackTrace(cause));
      Throwable behind = cause.getCause();
      if (behind != null) {
        add(headers, EXCEPTION_CAUSE_CLASS, behind.getClass().getName());
      }
    }
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }

  private static String stackTrace(Throwable cause) {
    StringWriter text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
