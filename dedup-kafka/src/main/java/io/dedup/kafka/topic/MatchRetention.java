// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ttl that lasts as long as the broker can deliver a record again:
 *
 * <pre>
 * bound(topic) = retention.ms + segment.ms + A + log.retention.check.interval.ms + outage + held
 * ttl          = bound(topic) + producerHorizon, and at least the bound of each topic of copies
 * </pre>
 *
 * <p>A broker deletes whole segments, each when its largest timestamp is older than {@code
 * retention.ms}, and a segment spans up to {@code segment.ms}. So with the broker's defaults of
 * seven days each, seven days of retention need fourteen days of keys. A is how far timestamps may
 * lie ahead: 0 with {@code LogAppendTime}, else {@code message.timestamp.after.max.ms}. A topic
 * whose records never go (compacted, or with unlimited retention) needs keys that never go: they
 * are kept 36,500 days, with a warning.
 *
 * @param outage the longest time a partition may have no live replica, in which nothing is deleted;
 *     default one day
 * @param held the longest time for which a member may hold records that it has already fetched;
 *     default one day
 * @param producerHorizon the longest time after which a producer may send a message again; default
 *     one day
 * @param maxFutureTimestamp A where the broker sets no limit; default one day
 * @param checkInterval the brokers' {@code log.retention.check.interval.ms}, null to read it from
 *     them
 * @param copies the retry and dead-letter topics that can hold copies of the records
 */
public record MatchRetention(
    Duration outage,
    Duration held,
    Duration producerHorizon,
    Duration maxFutureTimestamp,
    @Nullable Duration checkInterval,
    Set<String> copies)
    implements Ttl {

  private static final Duration DAY = Duration.ofDays(1);

  static final MatchRetention DEFAULT = new MatchRetention(DAY, DAY, DAY, DAY, null, Set.of());

  /** Checks the durations, each 0 to 36,500 days, and the names. */
  public MatchRetention {
    Checks.notNegative("outage", outage);
    Checks.notNegative("held", held);
    Checks.notNegative("producerHorizon", producerHorizon);
    Checks.notNegative("maxFutureTimestamp", maxFutureTimestamp);
    if (checkInterval != null) {
      Checks.notNegative("checkInterval", checkInterval);
    }
    copies.forEach(copy -> TopicNames.check("copies", copy));
    copies = Set.copyOf(copies);
  }

  /** Returns the same with another {@link #outage()}. */
  public MatchRetention outage(Duration outage) {
    return new MatchRetention(
        outage, held, producerHorizon, maxFutureTimestamp, checkInterval, copies);
  }

  /** Returns the same with another {@link #held()}. */
  public MatchRetention held(Duration held) {
    return new MatchRetention(
        outage, held, producerHorizon, maxFutureTimestamp, checkInterval, copies);
  }

  /** Returns the same with another {@link #producerHorizon()}. */
  public MatchRetention producerHorizon(Duration producerHorizon) {
    return new MatchRetention(
        outage, held, producerHorizon, maxFutureTimestamp, checkInterval, copies);
  }

  /** Returns the same with another {@link #maxFutureTimestamp()}. */
  public MatchRetention maxFutureTimestamp(Duration maxFutureTimestamp) {
    return new MatchRetention(
        outage, held, producerHorizon, maxFutureTimestamp, checkInterval, copies);
  }

  /**
   * Returns the same with {@link #checkInterval()} given, for clusters that do not show their
   * brokers' settings.
   */
  public MatchRetention checkInterval(Duration checkInterval) {
    return new MatchRetention(
        outage, held, producerHorizon, maxFutureTimestamp, checkInterval, copies);
  }

  /** Returns the same with {@link #copies()}. */
  public MatchRetention copies(String... copies) {
    return new MatchRetention(
        outage, held, producerHorizon, maxFutureTimestamp, checkInterval, Set.of(copies));
  }

  @Override
  public String describe() {
    return "retention";
  }
}
