// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Claims;
import io.dedup.Deduplicator;
import io.dedup.kafka.RecordAsks;
import io.dedup.time.ProcessClock;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the consumers of one listener container share. Thread-safe.
 *
 * @param listener the container's id, for people
 * @param deduplicator has effects happen once, in the mode of the listener
 * @param mode how it does
 * @param asks what is asked for each record
 * @param switches whether a topic's records are guarded; null for a topic without options
 * @param byProducer whether a producer commits the offsets, in its transaction
 * @param window how many records are claimed ahead, {@link Integer#MAX_VALUE} for a whole poll
 * @param observations where the container observes its listener, null if it does not
 * @param prepared the topics that are known already
 */
record ContainerGuard(
    String listener,
    Deduplicator deduplicator,
    ListenerMode mode,
    RecordAsks asks,
    Function<String, @Nullable GuardSwitch> switches,
    boolean byProducer,
    int window,
    ProcessClock clock,
    @Nullable ObservationRegistry observations,
    Set<String> prepared) {

  ContainerGuard(
      String listener,
      Deduplicator deduplicator,
      ListenerMode mode,
      RecordAsks asks,
      Function<String, @Nullable GuardSwitch> switches,
      boolean byProducer,
      int window,
      ProcessClock clock,
      @Nullable ObservationRegistry observations) {
    this(
        listener,
        deduplicator,
        mode,
        asks,
        switches,
        byProducer,
        window,
        clock,
        observations,
        ConcurrentHashMap.newKeySet());
  }

  boolean claimsAhead() {
    return mode == ListenerMode.LEASE;
  }

  Claims claims() {
    return deduplicator.claims();
  }

  Duration commandTimeout() {
    return deduplicator.commandTimeout();
  }

  /** Returns whether the records of a topic are guarded, and how. */
  GuardSwitch guard(String topic) {
    GuardSwitch named = switches.apply(topic);
    return named == null ? GuardSwitch.OFF : named;
  }

  /**
   * Reads what there is to know of topics that are not known yet.
   *
   * @throws io.dedup.kafka.topic.TopicReadException if one cannot be read
   */
  void prepare(Collection<String> topics) {
    for (String topic : topics) {
      if (!prepared.contains(topic)) {
        if (guard(topic) != GuardSwitch.OFF && asks.covers(topic)) {
          asks.prepare(Set.of(topic));
        }
        prepared.add(topic);
      }
    }
  }

  /** Topics may have been created anew since their partitions were last assigned. */
  void assigned(Set<String> topics) {
    Set<String> known = new HashSet<>(topics);
    known.retainAll(prepared);
    known.removeIf(topic -> guard(topic) == GuardSwitch.OFF || !asks.covers(topic));
    if (!known.isEmpty()) {
      asks.assigned(known);
    }
  }

  /** The listener is not called, so nobody stops what the container has begun to observe. */
  void stopObservation() {
    if (observations != null && observations.getCurrentObservation() != null) {
      observations.getCurrentObservation().stop();
    }
  }
}
