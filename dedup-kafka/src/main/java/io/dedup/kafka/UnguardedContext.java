// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.DedupContext;
import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The context of a handler that runs without a claim, for a record without a key: its key is the
 * record's place.
 */
record UnguardedContext(String group, ConsumerRecord<?, ?> record) implements DedupContext {

  @Override
  public IdempotencyKey key() {
    return IdempotencyKey.of(
        "unguarded|" + group + "|" + record.topic(), record.partition() + "@" + record.offset());
  }

  @Override
  public long fencingToken() {
    return 0;
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public boolean takenOver() {
    return false;
  }

  @Override
  public UUID childId(String name) {
    String whole = CompositeId.join(List.of(key().scope(), key().id(), name));
    return UUID.nameUUIDFromBytes(whole.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean leaseLost() {
    return false;
  }

  @Override
  public void pointOfNoReturn() {
    // There is no claim that could be lost.
  }
}
