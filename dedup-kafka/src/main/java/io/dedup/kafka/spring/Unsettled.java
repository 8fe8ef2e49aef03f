// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Claims;
import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps offsets from being committed before the effects of their records are known to be stored.
 *
 * <p>An effect is done when its listener says so, and stored a little later. If it turns out that
 * it cannot be stored, its partition is read again from there: the key then tells what is the case.
 * Thread-safe; records are acknowledged from any thread, offsets are committed from the consumer's.
 */
final class Unsettled {

  private static final Logger LOG = LoggerFactory.getLogger(Unsettled.class);

  private final Claims claims;

  /** The claims by which records are done, by offset. */
  private final ConcurrentMap<TopicPartition, ConcurrentNavigableMap<Long, Held>> done =
      new ConcurrentHashMap<>();

  /** Offsets that must not be committed, whoever acknowledges what is behind them. */
  private final ConcurrentMap<TopicPartition, ConcurrentSkipListSet<Long>> blocked =
      new ConcurrentHashMap<>();

  /** From where partitions have to be read again. */
  private final ConcurrentMap<TopicPartition, Long> rewinds = new ConcurrentHashMap<>();

  /** Commits that had to wait. */
  private final Map<TopicPartition, OffsetAndMetadata> deferred = new HashMap<>();

  /** How far partitions are committed since they came, or since somebody went back in them. */
  private final Map<TopicPartition, Long> committed = new HashMap<>();

  Unsettled(Claims claims) {
    this.claims = claims;
  }

  /** The record's effect is done by this claim, which is settled or will be. */
  void add(ConsumerRecord<?, ?> record, Held held) {
    done.computeIfAbsent(partition(record), p -> new ConcurrentSkipListMap<>())
        .put(record.offset(), held);
  }

  /** Nothing from this record on is committed until it is unblocked. */
  void block(ConsumerRecord<?, ?> record) {
    block(partition(record), record.offset());
  }

  private void block(TopicPartition partition, long offset) {
    blocked.computeIfAbsent(partition, p -> new ConcurrentSkipListSet<>()).add(offset);
  }

  void unblock(ConsumerRecord<?, ?> record) {
    ConcurrentSkipListSet<Long> offsets = blocked.get(partition(record));
    if (offsets != null) {
      offsets.remove(record.offset());
    }
  }

  /** The partition has to be read again from this record, which stays blocked until it is. */
  void rewind(ConsumerRecord<?, ?> record) {
    rewind(partition(record), record.offset());
  }

  private void rewind(TopicPartition partition, long offset) {
    block(partition, offset);
    rewinds.merge(partition, offset, Math::min);
  }

  /** Returns from where partitions have to be read again, once. */
  Map<TopicPartition, Long> takeRewinds() {
    Map<TopicPartition, Long> taken = new HashMap<>();
    for (TopicPartition partition : rewinds.keySet()) {
      Long offset = rewinds.remove(partition);
      if (offset != null) {
        taken.put(partition, offset);
        deferred.remove(partition);
        ConcurrentNavigableMap<Long, Held> claimed = done.get(partition);
        if (claimed != null) {
          claimed.tailMap(offset).clear();
        }
      }
    }
    return taken;
  }

  /** Returns the commits that had to wait, to be tried again; they wait on if they have to. */
  Map<TopicPartition, OffsetAndMetadata> deferred() {
    return Map.copyOf(deferred);
  }

  /** A commit that may be made, and was not, is to be tried again. */
  void defer(Map<TopicPartition, OffsetAndMetadata> commit) {
    commit.forEach((partition, offset) -> deferred.merge(partition, offset, Unsettled::further));
  }

  /**
   * Waits for the settlements of the records before {@code asked}.
   *
   * @return what may be committed of it now; what may not waits
   */
  Map<TopicPartition, OffsetAndMetadata> committable(
      Map<TopicPartition, OffsetAndMetadata> asked, Duration atMost) {
    // A listener acknowledges in its own threads, we acknowledge duplicates in the container's, and
    // that may commit the later offset first.
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(asked);
    offsets
        .entrySet()
        .removeIf(one -> one.getValue().offset() < committed.getOrDefault(one.getKey(), 0L));
    List<Held> awaited = new ArrayList<>();
    offsets.forEach((partition, offset) -> awaited.addAll(before(partition, offset).values()));
    claims.settle(awaited, atMost);
    Map<TopicPartition, OffsetAndMetadata> committable = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          OffsetAndMetadata allowed = allowed(partition, offset);
          if (allowed != null) {
            committable.put(partition, allowed);
          }
          if (offset.equals(allowed)) {
            deferred.computeIfPresent(
                partition, (p, waits) -> waits.offset() > offset.offset() ? waits : null);
          } else {
            deferred.merge(partition, offset, Unsettled::further);
          }
        });
    return committable;
  }

  /** The offsets are committed. */
  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach((partition, offset) -> committed.put(partition, offset.offset()));
  }

  /** Somebody went elsewhere in the partitions, and may commit what is before. */
  void sought(Collection<TopicPartition> partitions) {
    partitions.forEach(committed::remove);
  }

  private @Nullable OffsetAndMetadata allowed(TopicPartition partition, OffsetAndMetadata asked) {
    long limit = Math.min(asked.offset(), firstBlocked(partition));
    boolean passed = false;
    for (Map.Entry<Long, Held> entry : before(partition, asked).entrySet()) {
      if (entry.getKey() >= limit) {
        break;
      }
      Outcome<StoredResult> outcome = entry.getValue().outcome();
      if (outcome == null) {
        limit = entry.getKey();
      } else if (outcome.isDone()) {
        settled(partition, entry.getKey());
        passed = true;
      } else {
        LOG.warn(
            "{}@{} is read again: its effect is done, and its completion is not stored",
            partition,
            entry.getKey());
        rewind(partition, entry.getKey());
        limit = entry.getKey();
      }
    }
    if (limit == asked.offset()) {
      return asked;
    }
    return passed ? new OffsetAndMetadata(limit) : null;
  }

  private void settled(TopicPartition partition, long offset) {
    ConcurrentNavigableMap<Long, Held> claimed = done.get(partition);
    if (claimed != null) {
      claimed.remove(offset);
    }
  }

  private long firstBlocked(TopicPartition partition) {
    ConcurrentSkipListSet<Long> offsets = blocked.get(partition);
    Long first = offsets == null || offsets.isEmpty() ? null : offsets.first();
    return first == null ? Long.MAX_VALUE : first;
  }

  private NavigableMap<Long, Held> before(TopicPartition partition, OffsetAndMetadata offset) {
    ConcurrentNavigableMap<Long, Held> claimed = done.get(partition);
    return claimed == null
        ? new ConcurrentSkipListMap<>()
        : claimed.headMap(offset.offset(), false);
  }

  private static OffsetAndMetadata further(OffsetAndMetadata a, OffsetAndMetadata b) {
    return a.offset() >= b.offset() ? a : b;
  }

  /** Waits for all settlements that are on their way. Returns whether all effects are stored. */
  boolean settleAll(Duration atMost) {
    List<Held> all = new ArrayList<>();
    done.values().forEach(claimed -> all.addAll(claimed.values()));
    return claims.settle(all, atMost)
        && all.stream().allMatch(Held::isDone)
        && rewinds.isEmpty()
        && blocked.values().stream().allMatch(Collection::isEmpty);
  }

  /** The partitions are somebody else's. What is done is settled all the same. */
  void forget(Collection<TopicPartition> partitions) {
    partitions.forEach(
        partition -> {
          done.remove(partition);
          blocked.remove(partition);
          rewinds.remove(partition);
          deferred.remove(partition);
          committed.remove(partition);
        });
  }

  static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
