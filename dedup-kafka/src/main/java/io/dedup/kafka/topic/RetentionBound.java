// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** The arithmetic of {@link MatchRetention}, without any broker. */
final class RetentionBound {

  private RetentionBound() {}

  /** Returns how long the broker can deliver a record of the topic again, empty for ever. */
  static Optional<Duration> of(
      TopicRetention topic, Duration checkInterval, MatchRetention settings) {
    if (topic.compacted() || topic.retention() == null) {
      return Optional.empty();
    }
    return within(
        topic
            .retention()
            .plus(topic.segment())
            .plus(topic.ahead(settings.maxFutureTimestamp()))
            .plus(checkInterval)
            .plus(settings.outage())
            .plus(settings.held()));
  }

  /** Returns how long a key of the topic is kept, empty for ever. */
  static Optional<Duration> ttl(
      TopicRetention topic,
      Collection<TopicRetention> copies,
      Duration checkInterval,
      MatchRetention settings) {
    Optional<Duration> ttl =
        of(topic, checkInterval, settings)
            .flatMap(bound -> within(bound.plus(settings.producerHorizon())));
    for (TopicRetention copy : copies) {
      Optional<Duration> bound = of(copy, checkInterval, settings);
      ttl = ttl.flatMap(longest -> bound.map(b -> b.compareTo(longest) > 0 ? b : longest));
    }
    return ttl;
  }

  private static Optional<Duration> within(Duration sum) {
    return sum.compareTo(Checks.TTL_MAX) > 0 ? Optional.empty() : Optional.of(sum);
  }
}
