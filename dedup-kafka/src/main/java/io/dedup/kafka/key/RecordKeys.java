// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.KeyScope;
import io.dedup.kafka.topic.RecordOrigins;
import io.dedup.kafka.topic.RecordPosition;
import io.dedup.kafka.topic.RecordSource;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.kafka.topic.TopicReadException;
import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.ExtractedId;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyExtractor;
import java.util.Collection;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a claim has to know of a record: key, fingerprint and origin. Thread-safe. */
public final class RecordKeys {

  private static final Logger log = LoggerFactory.getLogger(RecordKeys.class);

  private final RecordOrigins origins;
  private final KeyExtractor<? super ConsumerRecord<?, ?>> extractor;
  private final RecordFingerprint fingerprint;
  private final KeyScope scope;

  private RecordKeys(
      RecordOrigins origins,
      KeyExtractor<? super ConsumerRecord<?, ?>> extractor,
      RecordFingerprint fingerprint,
      KeyScope scope) {
    this.origins = origins;
    this.extractor = extractor;
    this.fingerprint = fingerprint;
    this.scope = scope;
  }

  /**
   * Reads ids with {@code extractor}, no fingerprints, and the scope of original group and original
   * topic.
   */
  public static RecordKeys of(
      RecordOrigins origins, KeyExtractor<? super ConsumerRecord<?, ?>> extractor) {
    return new RecordKeys(origins, extractor, Fingerprints.none(), KeyScope.groupAndTopic());
  }

  /** Returns the same with fingerprints. */
  public RecordKeys fingerprint(RecordFingerprint fingerprint) {
    return new RecordKeys(origins, extractor, fingerprint, scope);
  }

  /** Returns the same with another scope. */
  public RecordKeys scope(KeyScope scope) {
    return new RecordKeys(origins, extractor, fingerprint, scope);
  }

  /**
   * Checks at start, and when topics are assigned that were not known at start, that keys can be
   * read of {@code topics}; logs what was chosen and what to know of it.
   *
   * @throws IllegalArgumentException if ids are made of offsets and the id of a topic is unknown
   * @throws TopicReadException if a topic could not be read
   */
  public void check(Collection<String> topics) {
    for (String topic : topics) {
      TopicIdentity identity = origins.identities().of(topic);
      if (KeyExtractors.usesOffset(extractor) && !identity.isComplete()) {
        throw new IllegalArgumentException(
            "key of topic "
                + topic
                + ": was '"
                + extractor.describe()
                + "', must not use offsets, since the topic's id is unknown (cluster "
                + identity.clusterId()
                + ") and offsets begin again when a topic is created anew");
      }
      log.info(
          "topic {}: key {}, fingerprint {}", topic, extractor.describe(), fingerprint.describe());
    }
    KeyExtractors.cautions(extractor)
        .forEach(caution -> log.warn("topics {}: key {}", topics, caution));
  }

  /**
   * Reads {@code record}.
   *
   * @throws TopicReadException if the identity of a topic had to be read and could not be: nothing
   *     is wrong with the record, and it must not be acknowledged
   */
  public RecordReading read(ConsumerRecord<?, ?> record) {
    return read(record, record);
  }

  /**
   * Does what {@link #read(ConsumerRecord)} does, of a record whose key and value were
   * deserialized.
   *
   * @param record with key and value as objects, of which the id is taken
   * @param raw with key and value as they were read, of which the fingerprint is taken
   */
  public RecordReading read(ConsumerRecord<?, ?> record, ConsumerRecord<?, ?> raw) {
    try {
      RecordSource source = origins.of(record);
      Reading reading = Reading.of(extractor, record, source.position());
      return reading
          .id()
          .fold(
              found -> keyed(found, raw, source, reading.byOffset()),
              missing -> new RecordReading.Unkeyed(missing.where()),
              unreadable -> new RecordReading.Unreadable(unreadable.where(), unreadable.why()));
    } catch (UnreadableRecordException e) {
      return new RecordReading.Unreadable(e.where(), e.why());
    } catch (TopicReadException e) {
      throw e;
    } catch (RuntimeException e) {
      // A user's extractor, fingerprint or scope. What it threw may quote the record, so it is not
      // passed on.
      log.warn(
          "topic {}, partition {}, offset {}: key {} could not be read",
          record.topic(),
          record.partition(),
          record.offset(),
          extractor.describe(),
          e);
      return new RecordReading.Unreadable(extractor.describe(), "threw " + e.getClass().getName());
    }
  }

  private RecordReading keyed(
      ExtractedId.Found found, ConsumerRecord<?, ?> record, RecordSource source, boolean byOffset) {
    Fingerprint taken = byOffset ? leaderEpoch(source.position()) : Fingerprint.none();
    if (taken.equals(Fingerprint.none())) {
      taken = fingerprint.of(record);
    }
    return new RecordReading.Keyed(IdempotencyKey.of(scope.of(source), found.id()), taken, source);
  }

  /**
   * After an unclean election an offset may hold another record than before, of another epoch; even
   * if both say the same, they are two messages.
   */
  private static Fingerprint leaderEpoch(@Nullable RecordPosition position) {
    return position == null || position.leaderEpoch() == RecordPosition.NO_EPOCH
        ? Fingerprint.none()
        : new Fingerprint(Fingerprint.LEADER_EPOCH, position.leaderEpoch());
  }
}
