// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A topic of copies, retry or dead-letter, whose headers are believed when they tell what a record
 * is a copy of.
 *
 * <p>Whoever may write to such a topic can name any original, and so claim its key. Believe only
 * topics that nobody but the recoverer may write to, and name the originals where they are known.
 *
 * @param topic the topic of copies
 * @param originals the topics that its records may be copies of; empty for any
 * @param group the group whose effects they are copies for; null to take it from the header, and if
 *     there is none to use the group that reads
 */
public record DeadLetterReplay(String topic, Set<String> originals, @Nullable String group) {

  /** Checks the names. */
  public DeadLetterReplay {
    TopicNames.check("topic", topic);
    originals.forEach(original -> TopicNames.check("originals", original));
    originals = Set.copyOf(originals);
    if (originals.contains(topic)) {
      throw new IllegalArgumentException(
          "originals: had '" + topic + "', must not have the topic of copies itself");
    }
    if (group != null) {
      Checks.notEmpty("group", group);
    }
  }

  /** Believes the headers of every record of {@code topic}. */
  public static DeadLetterReplay from(String topic) {
    return new DeadLetterReplay(topic, Set.of(), null);
  }

  /** Returns a replay that takes a record that names another original than these for unreadable. */
  public DeadLetterReplay of(String... originals) {
    return new DeadLetterReplay(topic, Set.of(originals), group);
  }

  /** Returns a replay whose records are copies for {@code group}, whatever their headers say. */
  public DeadLetterReplay forGroup(String group) {
    return new DeadLetterReplay(topic, originals, group);
  }

  void checkOriginal(String original) {
    if (!originals.isEmpty() && !originals.contains(original)) {
      throw new UnreadableRecordException(
          "original of a record of " + topic,
          "names a topic that is none of " + new TreeSet<>(originals));
    }
  }
}
