// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ttls in force: rules by topic, made into durations by what the brokers say. Thread-safe.
 *
 * <p>What is in force for a topic is logged when it is resolved.
 */
public final class TopicTtls {

  private static final Logger log = LoggerFactory.getLogger(TopicTtls.class);

  private final TopicRules<? extends Ttl> rules;
  private final @Nullable RetentionReader reader;
  private final Map<String, ResolvedTtl> resolved = new ConcurrentHashMap<>();

  private TopicTtls(TopicRules<? extends Ttl> rules, @Nullable RetentionReader reader) {
    this.rules = rules;
    this.reader = reader;
  }

  /**
   * Returns ttls of which none is resolved yet.
   *
   * @param rules by topic; ttls that match the retention need the ACL {@code DESCRIBE_CONFIGS} on
   *     their topics and, if they are not given the brokers' check interval, on the cluster
   * @param admin asked for configurations
   * @param timeout how long to wait for an answer; above 0
   */
  public static TopicTtls of(TopicRules<? extends Ttl> rules, Admin admin, Duration timeout) {
    return new TopicTtls(rules, new RetentionReader(new AdminReads(admin, timeout)));
  }

  /**
   * Returns ttls of which none may match a topic's retention, for a loop that has no {@code
   * AdminClient}.
   */
  public static TopicTtls withoutAdmin(TopicRules<? extends Ttl> rules) {
    return new TopicTtls(rules, null);
  }

  /**
   * Resolves the ttls of {@code topics} that are not resolved yet: at start, and when topics are
   * assigned that were not known at start.
   *
   * @throws IllegalArgumentException if a topic has no rule or two, or a rule that cannot be
   *     followed
   * @throws TopicReadException if a configuration could not be read
   */
  public void resolve(Collection<String> topics) {
    Map<String, Ttl> settings = new TreeMap<>();
    for (String topic : topics) {
      if (!resolved.containsKey(topic)) {
        settings.put(topic, rules.get(topic));
      }
    }
    Map<String, ResolvedTtl> anew = read(settings);
    resolved.putAll(anew);
    anew.values().forEach(ttl -> ttl.logAtStart(log));
    bounds(anew.keySet())
        .forEach(
            (topic, bound) ->
                Objects.requireNonNull(anew.get(topic)).warnIfShorterThan(bound, log));
  }

  /**
   * Returns the topics whose keys may expire while the brokers can still deliver their records, by
   * what the brokers say now. A user's policy is not judged.
   *
   * @throws TopicReadException if a configuration could not be read
   */
  public Set<String> shorterThanRetention() {
    Set<String> shorter = new TreeSet<>();
    if (reader != null) {
      reader
          .bounds(resolved.keySet())
          .forEach(
              (topic, bound) -> {
                ResolvedTtl ttl = resolved.get(topic);
                if (ttl != null && ttl.isShorterThan(bound)) {
                  shorter.add(topic);
                }
              });
    }
    return shorter;
  }

  /**
   * The comparison is a service: without the ACL for it, or the broker's answer, we start all the
   * same.
   */
  private Map<String, Optional<Duration>> bounds(Collection<String> topics) {
    List<String> fixed =
        topics.stream().filter(topic -> !(rules.get(topic) instanceof MatchRetention)).toList();
    if (reader == null || fixed.isEmpty()) {
      return Map.of();
    }
    try {
      return reader.bounds(fixed);
    } catch (TopicReadException e) {
      log.warn("topics {}: ttl not compared with the retention: {}", fixed, e.getMessage());
      return Map.of();
    }
  }

  /**
   * Returns how long the key of a record is kept, counted from its completion. For a copy it is the
   * longer of what is in force for the original's topic and for its own.
   *
   * @param source where the record comes from
   * @param record the record
   * @param now the time of the process
   * @throws IllegalStateException if neither topic is resolved
   * @throws IllegalArgumentException if a user's policy answered with a duration out of range
   */
  public Duration ttl(RecordSource source, ConsumerRecord<?, ?> record, Instant now) {
    ResolvedTtl original = resolved.get(source.topic());
    ResolvedTtl own = resolved.get(record.topic());
    if (original == null && own == null) {
      throw new IllegalStateException(
          "ttl of topic " + record.topic() + ": was not resolved, must be before its records come");
    }
    Duration byOriginal = original == null ? Duration.ZERO : original.ttl(record, now);
    Duration byOwn = own == null ? Duration.ZERO : own.ttl(record, now);
    return byOriginal.compareTo(byOwn) > 0 ? byOriginal : byOwn;
  }

  /**
   * Returns whether a record is dated further ahead than its topic's ttl allows for, as only a
   * topic without {@code message.timestamp.after.max.ms} lets in. Its own key is kept that much
   * longer; those of the records that share its segment are not, though it keeps their segment,
   * too.
   */
  public boolean isDatedTooFarAhead(ConsumerRecord<?, ?> record, Instant now) {
    ResolvedTtl ttl = resolved.get(record.topic());
    return ttl != null
        && ttl.setting() instanceof MatchRetention
        && !ttl.beyond(record, now).isZero();
  }

  /**
   * Reads the configurations again, puts the new ttls in force and warns of each that had been too
   * short: keys that were completed under it expire too early and want extending.
   *
   * @return what changed, by topic
   * @throws TopicReadException if a configuration could not be read; what was in force stays
   */
  public List<TtlDrift> reread() {
    Map<String, Ttl> settings = new TreeMap<>();
    resolved.forEach((topic, ttl) -> settings.put(topic, ttl.setting()));
    settings.values().removeIf(ttl -> !(ttl instanceof MatchRetention));
    List<TtlDrift> drifts = new ArrayList<>();
    read(settings)
        .forEach(
            (topic, now) -> {
              ResolvedTtl before = resolved.put(topic, now);
              if (before != null && !before.base().equals(now.base())) {
                TtlDrift drift = new TtlDrift(topic, before.base(), now.base());
                drifts.add(drift);
                now.logDrift(log, drift);
              }
            });
    return drifts;
  }

  private Map<String, ResolvedTtl> read(Map<String, Ttl> settings) {
    Map<String, ResolvedTtl> read = new TreeMap<>();
    Map<String, MatchRetention> matching = new TreeMap<>();
    settings.forEach(
        (topic, ttl) -> {
          if (ttl instanceof MatchRetention match) {
            matching.put(topic, match);
          } else {
            read.put(topic, ResolvedTtl.of(topic, ttl));
          }
        });
    if (!matching.isEmpty()) {
      if (reader == null) {
        throw new IllegalArgumentException(
            "ttl of topics "
                + matching.keySet()
                + ": was 'retention', must be a duration without an AdminClient");
      }
      read.putAll(reader.ttls(matching));
    }
    return read;
  }
}
