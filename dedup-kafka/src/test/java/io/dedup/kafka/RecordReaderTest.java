// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RecordReaderTest {

  private static RecordReader<byte[], String> reader() {
    return RecordReader.of(
        ClientSettings.of(
                Map.of(
                    "bootstrap.servers",
                    "127.0.0.1:1",
                    "group.id",
                    "g",
                    "value.deserializer",
                    CountedDeserializer.class))
            .asGiven());
  }

  private static ConsumerRecord<byte[], byte[]> raw(byte[] key, byte[] value) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(CountedDeserializer.TYPE_HEADER, new byte[] {1});
    return new ConsumerRecord<>(
        "t", 3, 7, 42, TimestampType.CREATE_TIME, 1, 2, key, value, headers, Optional.of(5));
  }

  @Test
  void whatADeserializerOrAHandlerDoesToTheHeadersIsNotSeenAtTheNextTry() {
    try (RecordReader<byte[], String> reader = reader()) {
      ConsumerRecord<byte[], byte[]> raw = raw(new byte[] {1}, new byte[] {'h', 'i'});
      ConsumerRecord<byte[], String> first = reader.read(raw);
      first.headers().add("trace", new byte[] {2});
      ConsumerRecord<byte[], String> second = reader.read(raw);
      assertThat(second.value()).isEqualTo("hi");
      assertThat(second.headers().lastHeader("trace")).isNull();
      assertThat(raw.headers().lastHeader(CountedDeserializer.TYPE_HEADER)).isNotNull();
    }
  }

  @Test
  void aRecordWithoutKeyOrValueHasNoneAndAllElseIsAsItWas() {
    try (RecordReader<byte[], String> reader = reader()) {
      ConsumerRecord<byte[], String> record = reader.read(raw(null, null));
      assertThat(record.key()).isNull();
      assertThat(record.value()).isNull();
      assertThat(record.partition()).isEqualTo(3);
      assertThat(record.offset()).isEqualTo(7);
      assertThat(record.timestamp()).isEqualTo(42);
      assertThat(record.leaderEpoch()).contains(5);
    }
  }
}
