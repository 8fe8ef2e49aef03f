// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.kafka.key.RecordFingerprint;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.KeyScope;
import io.dedup.kafka.topic.Ttl;
import io.dedup.key.KeyExtractor;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What holds for the topics of a rule, read and checked.
 *
 * @param rule the topic or pattern, for people
 * @param key where a record's key is; null if nothing says so, which is for whoever guards the
 *     topic to refuse
 * @param ttl how long a key is known as done
 * @param scope whose keys they are
 * @param mode how an effect and its completion go together
 * @param guard whether duplicates are skipped
 * @param onMissingKey what happens to records without a key
 * @param fingerprint what tells a message from another one with its key
 * @param onDuplicate what a listener that replies does about a duplicate
 * @param policy changes the application's policy for the topic; does not set the ttl, which is
 *     decided for each record
 * @param leaseIsSet whether {@code policy} sets a lease; else it is for whoever knows the consumer
 * @param forceHeader the header that forces a record through, null for none
 * @param replay believes what a record says it is a copy of, null where nothing is believed
 */
public record TopicSettings(
    String rule,
    @Nullable KeyExtractor<ConsumerRecord<?, ?>> key,
    Ttl ttl,
    KeyScope scope,
    Mode mode,
    Guard guard,
    OnMissingKey onMissingKey,
    RecordFingerprint fingerprint,
    OnDuplicate onDuplicate,
    UnaryOperator<Policy.Builder> policy,
    boolean leaseIsSet,
    @Nullable String forceHeader,
    @Nullable Replay replay) {

  /**
   * Believes the headers of copies, in whichever topic of the rule they are.
   *
   * @param originals the topics that records may be copies of; empty for any
   * @param group the group whose effects they are copies for, null to take it from the header
   */
  public record Replay(List<String> originals, @Nullable String group) {

    /** Returns the replay from {@code topic}. */
    public DeadLetterReplay from(String topic) {
      DeadLetterReplay replay = DeadLetterReplay.from(topic);
      DeadLetterReplay known =
          originals.isEmpty() ? replay : replay.of(originals.toArray(String[]::new));
      return group == null ? known : known.forGroup(group);
    }
  }
}
