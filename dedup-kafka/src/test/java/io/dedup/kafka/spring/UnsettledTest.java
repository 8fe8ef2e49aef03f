// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.claim.InMemoryClaimStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Offsets that a container commits in another order than that of its records. */
class UnsettledTest {

  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  private final Deduplicator deduplicator =
      Deduplicator.builder(InMemoryClaimStore.create()).build();
  private final Unsettled unsettled = new Unsettled(deduplicator.claims());

  @AfterEach
  void close() {
    deduplicator.close();
  }

  private Map<TopicPartition, OffsetAndMetadata> committable(long offset) {
    return unsettled.committable(at(offset), Duration.ZERO);
  }

  private static Map<TopicPartition, OffsetAndMetadata> at(long offset) {
    return Map.of(ORDERS, new OffsetAndMetadata(offset));
  }

  @Test
  void aLateCommitOfAnEarlierOffsetIsNotMade() {
    unsettled.committed(committable(8));
    assertThat(committable(6)).isEmpty();
    assertThat(unsettled.deferred()).isEmpty();
    assertThat(committable(9)).isEqualTo(at(9));
  }

  @Test
  void whoGoesBackInAPartitionMayCommitThere() {
    unsettled.committed(committable(8));
    unsettled.sought(List.of(ORDERS));
    assertThat(committable(6)).isEqualTo(at(6));
  }

  @Test
  void aCommitThatWasInterruptedIsStillToBeMadeAfterThatOfAnEarlierOffset() {
    unsettled.defer(committable(8));
    unsettled.committed(committable(6));
    assertThat(unsettled.deferred()).isEqualTo(at(8));
    unsettled.committed(committable(8));
    assertThat(unsettled.deferred()).isEmpty();
  }

  @Test
  void nothingOfAPartitionIsLeftWhenItGoes() {
    unsettled.committed(committable(8));
    unsettled.defer(committable(9));
    unsettled.forget(List.of(ORDERS));
    assertThat(unsettled.deferred()).isEmpty();
    assertThat(committable(6)).isEqualTo(at(6));
  }
}
