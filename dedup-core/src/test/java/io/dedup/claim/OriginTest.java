// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTest {

  private static final Origin RECORD = Origin.kafka("cluster", "topic", 7, 42, 5);

  @Test
  void theBytesOfAnOriginNeverChange() {
    assertThat(RECORD).isEqualTo(new Origin(0x01000007a8eeb2ffL, 42));
    assertThat(Origin.http("POST", "/pay"))
        .isEqualTo(new Origin(0x020000004501e9dcL, 0x4e2959f65239fd46L));
    assertThat(Origin.call("pay")).isEqualTo(new Origin(0x0300000009d74769L, 0));
    assertThat(Origin.none().toBytes()).hasSize(16).containsOnly(0);
  }

  @Test
  void whateverTellsARecordFromAnotherTellsTheirOrigins() {
    assertThat(
            List.of(
                RECORD,
                Origin.kafka("cluster2", "topic", 7, 42, 5),
                Origin.kafka("cluster", "topic2", 7, 42, 5),
                Origin.kafka("cluster", "topic", 8, 42, 5),
                Origin.kafka("cluster", "topic", 7, 43, 5),
                Origin.kafka("cluster", "topic", 7, 42, 6),
                Origin.kafka("cluster", "topic", 7, 42, -1),
                Origin.kafka("clustert", "opic", 7, 42, 5),
                Origin.http("POST", "/pay"),
                Origin.http("PUT", "/pay"),
                Origin.http("POST", "/pay2"),
                Origin.http("/pay", "POST"),
                Origin.call("pay"),
                Origin.call("pay2"),
                Origin.none()))
        .doesNotHaveDuplicates();
  }

  @Test
  void theSameRecordHasTheSameOrigin() {
    assertThat(RECORD.sameRecordAs(Origin.kafka("cluster", "topic", 7, 42, 5))).isTrue();
    assertThat(RECORD.sameRecordAs(Origin.kafka("cluster", "topic", 7, 42, 6))).isFalse();
  }

  @Test
  void onlyRecordsAreTheSameRecord() {
    Origin http = Origin.http("POST", "/pay");

    assertThat(http.sameRecordAs(Origin.http("POST", "/pay"))).isFalse();
    assertThat(Origin.none().sameRecordAs(Origin.none())).isFalse();
    assertThat(http.isHttp()).isTrue();
    assertThat(http.isKafka()).isFalse();
    assertThat(RECORD.isKafka()).isTrue();
    assertThat(RECORD.isHttp()).isFalse();
  }

  static Stream<Origin> origins() {
    return Stream.of(
        Origin.none(),
        RECORD,
        Origin.kafka("", "", Origin.PARTITION_MAX, Long.MAX_VALUE, Integer.MAX_VALUE),
        Origin.kafka("cluster", "topic", 0, 0, -1),
        Origin.http("POST", "/pay"),
        Origin.call("pay"));
  }

  @ParameterizedTest
  @MethodSource("origins")
  void anOriginSurvivesItsBytes(Origin origin) {
    assertThat(Origin.of(origin.toBytes())).isEqualTo(origin);
  }

  @Test
  void anyPartitionSurvives() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      int partition = random.nextInt(Origin.PARTITION_MAX + 1);
      Origin origin = Origin.kafka("cluster", "topic" + i, partition, i, 0);

      assertThat(origin.partition()).isEqualTo(partition);
      assertThat(origin.isKafka()).isTrue();
    }
  }

  @Test
  void offsetsOfOneTopicNeverMeet() {
    Set<Origin> origins = new HashSet<>();
    for (int partition = 0; partition < 100; partition++) {
      for (int offset = 0; offset < 100; offset++) {
        origins.add(Origin.kafka("cluster", "topic", partition, offset, 0));
      }
    }
    assertThat(origins).hasSize(10_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Origin.PARTITION_MAX + 1})
  void aPartitionThatDoesNotFitIsRefused(int partition) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Origin.kafka("cluster", "topic", partition, 0, 0))
        .withMessage("partition: was " + partition + ", must be 0 to 16777215");
  }

  @Test
  void aNegativeOffsetIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Origin.kafka("cluster", "topic", 0, -1, 0))
        .withMessage("offset: was -1, must not be negative");
  }

  @Test
  void otherBytesAreNoOrigin() {
    assertThatExceptionOfType(StoreCorrupt.class)
        .isThrownBy(() -> Origin.of(new byte[15]))
        .withMessage("origin: was 15 bytes, must be 16");
  }

  @Test
  void anOriginIsReadByPeople() {
    assertThat(RECORD).hasToString("kafka:partition=7,offset=42");
    assertThat(Origin.http("POST", "/pay")).hasToString("http");
    assertThat(Origin.call("pay")).hasToString("call");
    assertThat(Origin.none()).hasToString("unknown");
    assertThat(new Origin(9L << 56, 0)).hasToString("kind 9");
  }
}
