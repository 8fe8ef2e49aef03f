// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class PartitionWorkTest {

  private final PartitionWork work = new PartitionWork();

  @Test
  void theOffsetGoesBehindMarkersOnlyAfterTheLastRecordIsDone() {
    work.add(
        List.of(LoopBench.record(0, 0, "a"), LoopBench.record(0, 1, "b")),
        new OffsetAndMetadata(5));
    assertThat(work.committable()).isNull();
    work.done(null);
    assertThat(work.committable().offset()).isEqualTo(1);
    work.done(null);
    assertThat(work.committable().offset()).isEqualTo(5);
  }

  @Test
  void aPollThatBringsMarkersAloneMovesTheOffset() {
    work.add(List.of(), new OffsetAndMetadata(5));
    assertThat(work.committable().offset()).isEqualTo(5);
  }

  @Test
  void thePositionOfAnEarlierPollIsNotCommittedForALaterOneThatTellsNone() {
    work.add(List.of(LoopBench.record(0, 0, "a")), new OffsetAndMetadata(1));
    work.done(null);
    work.add(List.of(LoopBench.record(0, 1, "b")), null);
    work.done(null);
    assertThat(work.committable().offset()).isEqualTo(2);
  }

  @Test
  void aRecordIsSuspectUntilAnOffsetWasCommitted() {
    work.add(List.of(LoopBench.record(0, 0, "a"), LoopBench.record(0, 1, "b")), null);
    assertThat(work.isSuspect()).isTrue();
    work.done(null);
    assertThat(work.isSuspect()).isTrue();
    work.committed(null);
    assertThat(work.isSuspect()).isTrue();
    work.committed(work.committable());
    assertThat(work.isSuspect()).isFalse();
    assertThat(work.committable()).isNull();
  }
}
