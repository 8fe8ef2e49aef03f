// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.kafka.topic.TopicIdentity;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaDeadLettersTest {

  private static final String STACKTRACE = "kafka_dlt-exception-stacktrace";

  private final Producer producer = new Producer();
  private final DeadLetters letters = DeadLetters.to(producer);

  private static DeadLetter letter(
      ConsumerRecord<byte[], byte[]> record, DeadLetter.Reason reason, Throwable cause) {
    return new DeadLetter(
        record, TopicIdentity.byName(record.topic()), "billing", reason, cause, "because");
  }

  private static ConsumerRecord<byte[], byte[]> record(String topic, Headers headers) {
    return new ConsumerRecord<>(
        topic, 2, 7, 42, TimestampType.CREATE_TIME, 0, 0, null, null, headers, Optional.empty());
  }

  private ProducerRecord<byte[], byte[]> last() {
    return producer.history().get(producer.history().size() - 1);
  }

  private static String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  @Test
  void aTombstoneIsKeptAsOneAndItsRecordIsLeftAsItWas() throws Exception {
    ConsumerRecord<byte[], byte[]> record = record("orders", new RecordHeaders());
    letters.publish(letter(record, DeadLetter.Reason.FAILED, new IllegalStateException("no")));
    assertThat(last().topic()).isEqualTo("orders-dlt");
    assertThat(last().key()).isNull();
    assertThat(last().value()).isNull();
    assertThat(text(last().headers(), "kafka_dlt-original-topic")).isEqualTo("orders");
    assertThat(record.headers()).isEmpty();
  }

  @Test
  void anEarlierHopsFailureIsNotTakenForThisOnes() throws Exception {
    letters.publish(
        letter(
            record("orders", new RecordHeaders()),
            DeadLetter.Reason.FAILED,
            new IllegalStateException("outer", new IllegalArgumentException("inner"))));
    Headers first = last().headers();
    assertThat(text(first, "kafka_dlt-exception-cause-fqcn"))
        .isEqualTo(IllegalArgumentException.class.getName());
    letters.publish(letter(record("orders-dlt", first), DeadLetter.Reason.CONFLICT, null));
    Headers second = last().headers();
    assertThat(last().topic()).isEqualTo("orders-dlt-dlt");
    assertThat(text(second, "dedup-reason")).isEqualTo("CONFLICT");
    assertThat(second.headers("dedup-reason")).hasSize(1);
    assertThat(text(second, "kafka_dlt-exception-fqcn")).isNull();
    assertThat(text(second, "kafka_dlt-exception-cause-fqcn")).isNull();
    assertThat(text(second, STACKTRACE)).isNull();
    assertThat(second.headers("kafka_dlt-original-topic"))
        .as("the first names the original, the last the hop before")
        .extracting(header -> new String(header.value(), UTF_8))
        .containsExactly("orders", "orders-dlt");
  }

  @Test
  void aLetterThatItsFailureMakesTooLargeIsKeptWithoutTellingOfIt() throws Exception {
    producer.refusesStackTraces = true;
    letters.publish(
        letter(
            record("orders", new RecordHeaders()),
            DeadLetter.Reason.FAILED,
            new IllegalStateException("no")));
    assertThat(text(last().headers(), STACKTRACE)).isNull();
    assertThat(text(last().headers(), "dedup-reason")).isEqualTo("FAILED");
    assertThat(text(last().headers(), "kafka_dlt-original-topic")).isEqualTo("orders");
  }

  @Test
  void aLetterThatIsTooLargeInItselfIsNotKept() {
    producer.refusesAll = true;
    assertThatThrownBy(
            () ->
                letters.publish(
                    letter(
                        record("orders", new RecordHeaders()), DeadLetter.Reason.CONFLICT, null)))
        .hasCauseInstanceOf(RecordTooLargeException.class);
    assertThat(producer.history()).isEmpty();
  }

  /** Kafka's, with a limit. */
  private static final class Producer extends MockProducer<byte[], byte[]> {
    private boolean refusesStackTraces;
    private boolean refusesAll;

    Producer() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      boolean told = record.headers().lastHeader(STACKTRACE) != null;
      return refusesAll || (refusesStackTraces && told)
          ? CompletableFuture.failedFuture(new RecordTooLargeException("above the limit"))
          : super.send(record);
    }
  }
}
