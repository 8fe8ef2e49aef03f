// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.idOf;
import static io.dedup.kafka.key.Sample.keyed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.key.KeyExtractor;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class RecordKeyKeyTest {

  private static final KeyExtractor<ConsumerRecord<?, ?>> KEY = KeyExtractors.recordKey();

  private static String id(Object key) {
    return idOf(KEY, keyed(key, null));
  }

  @Test
  void textAndItsBytesAreOneIdAndNeverAListOfNumbers() {
    assertThat(id("abc")).isEqualTo("abc");
    assertThat(id("abc".getBytes(UTF_8))).isEqualTo("abc");
    assertThat(id(ByteBuffer.wrap("abc".getBytes(UTF_8)))).isEqualTo("abc");
    assertThat(id(new Bytes("abc".getBytes(UTF_8)))).isEqualTo("abc");
  }

  @Test
  void numbersAreTheirValueWhateverTheirClass() {
    assertThat(id(1)).isEqualTo("number:1");
    assertThat(id(1L)).isEqualTo("number:1");
    assertThat(id((short) 1)).isEqualTo("number:1");
    assertThat(id(1.0)).isEqualTo("number:1");
    assertThat(id(new BigDecimal("1.00"))).isEqualTo("number:1");
    assertThat(id("1")).isEqualTo("1");
    assertUnreadable(KEY, keyed(Double.NaN, null), "not finite");
  }

  @Test
  void aUuidIsItsText() {
    UUID uuid = UUID.randomUUID();
    assertThat(id(uuid)).isEqualTo(uuid.toString());
  }

  @Test
  void nullAndEmptyAreMissing() {
    assertMissing(KEY, keyed(null, "v"));
    assertMissing(KEY, keyed("", "v"));
    assertMissing(KEY, keyed(new byte[0], "v"));
  }

  @Test
  void otherObjectsAreUnreadableAndNeverAskedForTheirText() {
    assertUnreadable(KEY, keyed(new Object(), null), "java.lang.Object");
    assertUnreadable(KEY, keyed(List.of("a"), null), "must be text");
    assertUnreadable(KEY, keyed(new int[] {1}, null), "must be text");
    assertUnreadable(KEY, keyed(true, null), "java.lang.Boolean");
  }

  @Test
  void operatorsAreToldThatAKeyMostlyNamesAnEntity() {
    // The tombstone of an entity has the key of its upsert, and would be skipped as its duplicate.
    assertThat(id("K")).isEqualTo(idOf(KEY, keyed("K", "value")));
    assertThat(KeyExtractors.cautions(KEY)).singleElement().asString().contains("tombstone");
    assertThat(
            KeyExtractors.cautions(KeyExtractors.firstOf(List.of(KeyExtractors.header("h"), KEY))))
        .hasSize(1);
  }
}
