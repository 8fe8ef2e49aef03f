// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.RecordPosition;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a record, and whether the record's place in the log is part of it.
 *
 * @param id the id, or why there is none
 * @param byOffset whether the id names a place in a log, of which the leader epoch is then the
 *     fingerprint
 */
record Reading(ExtractedId id, boolean byOffset) {

  /**
   * An extractor that may have to know where the record comes from originally, which the record
   * itself cannot tell.
   */
  interface Positioned extends KeyExtractor<ConsumerRecord<?, ?>> {

    /**
     * Returns what is read of {@code record}, which comes from {@code position}, null if that is
     * unknown.
     */
    Reading read(ConsumerRecord<?, ?> record, @Nullable RecordPosition position);

    /** Returns whether the record's place in the log may become part of the id. */
    boolean usesOffset();

    @Override
    default ExtractedId extract(ConsumerRecord<?, ?> record) {
      return read(record, null).id();
    }
  }

  static Reading of(
      KeyExtractor<? super ConsumerRecord<?, ?>> extractor,
      ConsumerRecord<?, ?> record,
      @Nullable RecordPosition position) {
    return extractor instanceof Positioned positioned
        ? positioned.read(record, position)
        : new Reading(extractor.extract(record), false);
  }

  static boolean usesOffset(KeyExtractor<?> extractor) {
    return extractor instanceof Positioned positioned && positioned.usesOffset();
  }
}
