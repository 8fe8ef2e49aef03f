// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.DedupEvent;
import io.dedup.Deduplicator;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.key.KeyExtractors;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What the records of a topic count under in meters. */
class RecordLabelsTest {

  @Test
  void aRecordCountsUnderItsTopicWhetherItRunsOrIsSkipped() {
    List<String> labels = new ArrayList<>();
    try (Deduplicator dedup =
        Deduplicator.builder(InMemoryClaimStore.create())
            .listener(event -> labelled(event, labels))
            .build()) {
      RecordDeduplicator records =
          RecordDeduplicator.builder(dedup, "billing")
              .topic("orders", t -> t.key(KeyExtractors.header("event-id")).ttl(Duration.ofDays(7)))
              .build();
      records.prepare();
      ConsumerRecord<String, String> record = new ConsumerRecord<>("orders", 0, 7, "k", "v");
      record.headers().add("event-id", "4711".getBytes(StandardCharsets.UTF_8));

      assertThat(records.process(record, (r, context) -> {}).isDone()).isTrue();
      assertThat(records.process(record, (r, context) -> {}).isDone()).isTrue();
    }

    assertThat(labels).containsExactly("Executed under orders", "Duplicate under orders");
  }

  private static void labelled(DedupEvent event, List<String> labels) {
    if (event instanceof DedupEvent.Decided decided) {
      labels.add(decided.outcome().getClass().getSimpleName() + " under " + decided.label());
    }
  }
}
