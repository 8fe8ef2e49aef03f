// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A ttl in force.
 *
 * @param topic the topic it is for
 * @param setting what it was made of
 * @param base how long a key is kept at least; 0 where the policy decides
 * @param ahead how far ahead records may be dated without being kept for longer, null if their date
 *     does not matter
 * @param endless whether the records of the topic never go, so that the keys should not either
 * @param reason what it was computed of, for people
 */
record ResolvedTtl(
    String topic,
    Ttl setting,
    Duration base,
    @Nullable Duration ahead,
    boolean endless,
    String reason) {

  static ResolvedTtl of(String topic, Ttl ttl) {
    if (ttl instanceof Ttl.Fixed fixed) {
      return new ResolvedTtl(topic, ttl, fixed.ttl(), null, false, ttl.describe());
    }
    if (ttl instanceof Ttl.FromTimestamp from) {
      return new ResolvedTtl(topic, ttl, from.ttl(), Duration.ZERO, false, ttl.describe());
    }
    return new ResolvedTtl(topic, ttl, Duration.ZERO, null, false, ttl.describe());
  }

  static ResolvedTtl matching(
      TopicRetention topic,
      Collection<TopicRetention> copies,
      Duration checkInterval,
      MatchRetention settings) {
    var ttl = RetentionBound.ttl(topic, copies, checkInterval, settings);
    // Where the broker sets the limit, what seems to exceed it is a difference between two clocks.
    @Nullable Duration ahead = topic.limitsTimestamps() ? null : settings.maxFutureTimestamp();
    Duration base = ttl.orElse(Checks.TTL_MAX);
    String reason =
        ("%s, of retention.ms %s + segment.ms %s + timestamps ahead %s + check interval %s + outage %s"
                + " + held %s + producers' horizon %s, copies in %s")
            .formatted(
                base,
                topic.retention() == null ? "unlimited" : topic.retention(),
                topic.segment(),
                topic.ahead(settings.maxFutureTimestamp()),
                checkInterval,
                settings.outage(),
                settings.held(),
                settings.producerHorizon(),
                settings.copies());
    return new ResolvedTtl(topic.topic(), settings, base, ahead, ttl.isEmpty(), reason);
  }

  Duration ttl(ConsumerRecord<?, ?> record, Instant now) {
    if (setting instanceof Ttl.Custom custom) {
      return Checks.ttl("ttl of topic " + topic, custom.policy().ttl(record, now));
    }
    Duration ttl = base.plus(beyond(record, now));
    return ttl.compareTo(Checks.TTL_MAX) > 0 ? Checks.TTL_MAX : ttl;
  }

  /** Returns how much further ahead of {@code now} the record is dated than allowed for. */
  Duration beyond(ConsumerRecord<?, ?> record, Instant now) {
    long aheadMillis = record.timestamp() - now.toEpochMilli();
    if (ahead == null || aheadMillis <= ahead.toMillis()) {
      return Duration.ZERO;
    }
    Duration beyond = Duration.ofMillis(aheadMillis).minus(ahead);
    // No key is kept for longer, whatever its record's date.
    return beyond.compareTo(Checks.TTL_MAX) > 0 ? Checks.TTL_MAX : beyond;
  }

  /**
   * Returns whether keys may expire while the brokers can still deliver their records; empty is for
   * ever.
   */
  boolean isShorterThan(Optional<Duration> bound) {
    boolean ownRule = setting instanceof Ttl.Fixed || setting instanceof Ttl.FromTimestamp;
    return ownRule && base.compareTo(bound.orElse(Checks.TTL_MAX)) < 0;
  }

  void warnIfShorterThan(Optional<Duration> bound, Logger log) {
    if (isShorterThan(bound)) {
      log.warn(
          "topic {}: ttl {} is shorter than the time for which the brokers can deliver a record again ({}); a record"
              + " that comes back after its key has expired runs again. A ttl of 'retention' would last long enough",
          topic,
          base,
          bound.<Object>map(time -> time).orElse("for ever"));
    }
  }

  void logAtStart(Logger log) {
    log.info("topic {}: ttl {}", topic, reason);
    warnIfEndless(log);
  }

  private void warnIfEndless(Logger log) {
    if (endless) {
      log.warn(
          "topic {}: its records, or copies of them, never go (compacted or without a limit of retention), so its"
              + " keys are kept {} days: the store grows by one key for each distinct message, for ever. Give the"
              + " topic a fixed ttl if its messages are not delivered again after a known time. ({})",
          topic,
          base.toDays(),
          reason);
    }
  }

  void logDrift(Logger log, TtlDrift drift) {
    if (drift.wasTooShort()) {
      log.warn(
          "topic {}: the ttl of its keys had become too short, it was {} and is {} from now on ({}). Keys completed"
              + " before may expire while their record can still be delivered: extend them",
          topic,
          drift.before(),
          drift.now(),
          reason);
      warnIfEndless(log);
    } else {
      log.info("topic {}: ttl {} instead of {} ({})", topic, drift.now(), drift.before(), reason);
    }
  }
}
