// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Tells where records come from originally. A header is believed only in the topics that were named
 * for it, since any producer can write it. Thread-safe.
 */
public final class RecordOrigins {

  /**
   * A retry topic may lead to a dead-letter topic and the other way round; each set of headers is
   * used once.
   */
  private static final List<OriginalHeaders> SETS =
      List.of(OriginalHeaders.RETRY, OriginalHeaders.DEAD_LETTER);

  private final String group;
  private final TopicIdentities identities;
  private final Map<String, DeadLetterReplay> replays;

  private RecordOrigins(
      String group, TopicIdentities identities, Map<String, DeadLetterReplay> replays) {
    this.group = group;
    this.identities = identities;
    this.replays = replays;
  }

  /**
   * Returns origins that believe no header.
   *
   * @param group the group that reads; not empty, or the effects of two applications would suppress
   *     each other
   */
  public static RecordOrigins of(String group, TopicIdentities identities) {
    return new RecordOrigins(Checks.notEmpty("group", group), identities, Map.of());
  }

  /**
   * Returns origins that believe the headers in the topics of {@code replays}, and in no other.
   *
   * @throws IllegalArgumentException if a topic is named twice
   */
  public RecordOrigins believing(List<DeadLetterReplay> replays) {
    Map<String, DeadLetterReplay> byTopic =
        replays.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    DeadLetterReplay::topic,
                    replay -> replay,
                    (a, b) -> {
                      throw new IllegalArgumentException(
                          "replays: named topic '" + a.topic() + "' twice, must name it once");
                    }));
    return new RecordOrigins(group, identities, byTopic);
  }

  /** Returns the identities of the topics. */
  public TopicIdentities identities() {
    return identities;
  }

  /**
   * Returns where {@code record} comes from.
   *
   * @throws UnreadableRecordException if headers that are believed are broken, or name a topic they
   *     may not name
   * @throws TopicReadException if the identity of a topic had to be read and could not be
   */
  public RecordSource of(ConsumerRecord<?, ?> record) {
    RecordSource source =
        new RecordSource(
            group, record.topic(), RecordPosition.of(record, identities.of(record.topic())), false);
    for (OriginalHeaders set : SETS) {
      DeadLetterReplay replay = replays.get(source.topic());
      String original = replay == null ? null : set.topic(record.headers());
      if (replay != null && original != null && !original.equals(source.topic())) {
        replay.checkOriginal(original);
        source =
            new RecordSource(
                originalGroup(replay, record.headers()),
                original,
                originalPosition(set, original, record.headers()),
                true);
      }
    }
    return source;
  }

  private String originalGroup(DeadLetterReplay replay, Headers headers) {
    if (replay.group() != null) {
      return replay.group();
    }
    String original = OriginalHeaders.group(headers);
    return original == null ? group : original;
  }

  private @Nullable RecordPosition originalPosition(
      OriginalHeaders set, String topic, Headers headers) {
    Integer partition = set.partition(headers);
    Long offset = set.offset(headers);
    if (partition == null || offset == null) {
      // Recoverers can be told to leave them out. The key's scope is known all the same.
      return null;
    }
    try {
      return PositionHeader.complete(
          new RecordPosition(identities.of(topic), partition, offset, RecordPosition.NO_EPOCH),
          headers);
    } catch (IllegalArgumentException e) {
      throw new UnreadableRecordException("original position", String.valueOf(e.getMessage()));
    }
  }
}
