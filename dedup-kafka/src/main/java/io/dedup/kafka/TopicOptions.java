// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.key.RecordFingerprint;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.kafka.topic.KeyScope;
import io.dedup.kafka.topic.Ttl;
import io.dedup.key.KeyExtractor;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** How the records of a topic are told apart, and for how long. Not thread-safe. */
public final class TopicOptions {

  private final String topic;
  private @Nullable KeyExtractor<? super ConsumerRecord<?, ?>> key;
  private Ttl ttl = Ttl.matchRetention();
  private KeyScope scope = KeyScope.groupAndTopic();
  private RecordFingerprint fingerprint = Fingerprints.none();
  private OnMissingKey onMissingKey = OnMissingKey.FAIL;
  private UnaryOperator<Policy.Builder> policy = UnaryOperator.identity();
  private @Nullable DeadLetterReplay replay;
  private @Nullable String forceHeader;

  TopicOptions(String topic) {
    this.topic = topic;
  }

  /** Sets where the key is; there is no default. */
  public TopicOptions key(KeyExtractor<? super ConsumerRecord<?, ?>> extractor) {
    this.key = extractor;
    return this;
  }

  /**
   * Sets how long a key is known as done; by default as long as the broker can deliver its record
   * again.
   */
  public TopicOptions ttl(Ttl value) {
    this.ttl = value;
    return this;
  }

  /** Sets how long a key is known as done. */
  public TopicOptions ttl(Duration value) {
    return ttl(Ttl.of(value));
  }

  /** Sets whose keys they are; by default the group's and the topic's. */
  public TopicOptions scope(KeyScope value) {
    this.scope = value;
    return this;
  }

  /** Sets what tells a message from another one with its key; by default nothing does. */
  public TopicOptions fingerprint(RecordFingerprint value) {
    this.fingerprint = value;
    return this;
  }

  /** Sets what happens to records without a key; by default they are refused. */
  public TopicOptions onMissingKey(OnMissingKey value) {
    this.onMissingKey = value;
    return this;
  }

  /** Changes the policy for this topic. Its ttl and, in a consumer, its lease are set elsewhere. */
  public TopicOptions policy(UnaryOperator<Policy.Builder> changes) {
    this.policy = changes;
    return this;
  }

  /** Sets a lease of the topic's own; by default it is the consumer's. */
  public TopicOptions lease(Duration value) {
    UnaryOperator<Policy.Builder> before = policy;
    return policy(builder -> before.apply(builder).lease(value));
  }

  /**
   * Believes the headers of this topic's records that say what they are copies of; by default none
   * are believed.
   */
  public TopicOptions replay(DeadLetterReplay value) {
    this.replay = value;
    return this;
  }

  /**
   * Sets the header that forces a record through although its key is done, once; by default there
   * is none. Whoever may write to the topic may then force.
   */
  public TopicOptions forceHeader(String name) {
    this.forceHeader = name;
    return this;
  }

  /** Returns the topic's name. */
  public String topic() {
    return topic;
  }

  KeyExtractor<? super ConsumerRecord<?, ?>> key() {
    if (key == null) {
      throw new IllegalArgumentException(
          "topic " + topic + ": key was not set, must say where a record's key is");
    }
    return key;
  }

  Ttl ttl() {
    return ttl;
  }

  KeyScope scope() {
    return scope;
  }

  RecordFingerprint fingerprint() {
    return fingerprint;
  }

  OnMissingKey onMissingKey() {
    return onMissingKey;
  }

  @Nullable DeadLetterReplay replay() {
    if (replay != null && !replay.topic().equals(topic)) {
      throw new IllegalArgumentException(
          "topic " + topic + ": replay was of topic " + replay.topic() + ", must be of this one");
    }
    return replay;
  }

  @Nullable String forceHeader() {
    return forceHeader;
  }

  /**
   * Returns the topic's policy on top of {@code base}; checked with the ttl where that is known
   * beforehand.
   */
  Policy policy(Policy base) {
    Policy changed = base.with(Objects.requireNonNull(policy));
    try {
      if (ttl instanceof Ttl.Fixed fixed) {
        return changed.with(p -> p.ttl(fixed.ttl()));
      }
      // The shortest that a record can have.
      return ttl instanceof Ttl.FromTimestamp from ? changed.with(p -> p.ttl(from.ttl())) : changed;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("topic " + topic + ": " + e.getMessage(), e);
    }
  }
}
