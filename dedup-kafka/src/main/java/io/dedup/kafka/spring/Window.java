// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Held;
import io.dedup.kafka.RecordAsk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaUtils;

/**
 * The claims that are made ahead of the listener, many in one exchange. It is a cache: whatever it
 * does not have is claimed alone. Confined to the consumer's thread.
 */
final class Window {

  private final ContainerGuard guard;
  private final Map<Place, Ahead> ahead = new HashMap<>();
  private final Deque<ConsumerRecord<?, ?>> upcoming = new ArrayDeque<>();

  /**
   * Partitions of which no record was handled since they were assigned: the next one may be what
   * ended their last owner.
   */
  private final Set<TopicPartition> suspect = new HashSet<>();

  private record Place(TopicPartition partition, long offset) {
    static Place of(ConsumerRecord<?, ?> record) {
      return new Place(Unsettled.partition(record), record.offset());
    }
  }

  /**
   * A record that was claimed ahead.
   *
   * @param record as it was when it was polled; an interceptor may hand on another
   */
  record Ahead(ConsumerRecord<?, ?> record, Ask ask, Claimed claimed) {}

  Window(ContainerGuard guard) {
    this.guard = guard;
  }

  /** Takes what was polled, and claims the first records of it. */
  List<Ahead> fill(Iterable<? extends ConsumerRecord<?, ?>> polled) {
    upcoming.clear();
    polled.forEach(upcoming::add);
    return claimNext(guard.window());
  }

  /** Returns the record's answer, if it was claimed ahead and is the one that was claimed. */
  @Nullable Ahead take(ConsumerRecord<?, ?> record, int next) {
    Place place = Place.of(record);
    Ahead found = ahead.remove(place);
    if (found == null && isUpcoming(place)) {
      claimNext(next);
      found = ahead.remove(place);
    }
    if (found != null && found.record() != record) {
      giveBack(List.of(found));
      return null;
    }
    return found;
  }

  /** Drops what comes before the place. Returns whether it comes at all. */
  private boolean isUpcoming(Place place) {
    if (upcoming.stream().noneMatch(record -> Place.of(record).equals(place))) {
      return false;
    }
    while (!Place.of(upcoming.getFirst()).equals(place)) {
      upcoming.removeFirst();
    }
    return true;
  }

  private List<Ahead> claimNext(int count) {
    List<ConsumerRecord<?, ?>> records = new ArrayList<>();
    List<Ask> asks = new ArrayList<>();
    Iterator<ConsumerRecord<?, ?>> next = upcoming.iterator();
    while (next.hasNext() && asks.size() < count) {
      ConsumerRecord<?, ?> record = next.next();
      Ask ask = ask(record);
      if (ask != null && !ahead.containsKey(Place.of(record))) {
        records.add(record);
        asks.add(ask);
      }
    }
    if (asks.isEmpty()) {
      return List.of();
    }
    List<Claimed> answers = guard.claims().claim(asks);
    List<Ahead> made = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      Ahead one = new Ahead(records.get(i), asks.get(i), answers.get(i));
      ahead.put(Place.of(one.record()), one);
      made.add(one);
    }
    return made;
  }

  /** Returns null for a record that is not claimed ahead, for whatever reason. */
  private @Nullable Ask ask(ConsumerRecord<?, ?> record) {
    if (guard.guard(record.topic()) == GuardSwitch.OFF || isUnreadable(record)) {
      return null;
    }
    return guard.asks().of(record, record, isSuspect(record)) instanceof RecordAsk.Keyed keyed
        ? keyed.ask()
        : null;
  }

  /** Returns whether the record could not be deserialized: it is the error handler's. */
  static boolean isUnreadable(ConsumerRecord<?, ?> record) {
    String name =
        record.value() == null
            ? KafkaUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER
            : KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER;
    boolean partMissing = record.value() == null || record.key() == null;
    return partMissing
        && (record.headers().lastHeader(name) != null
            || record.headers().lastHeader(KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER) != null);
  }

  /** Only the first of a partition is. */
  boolean isSuspect(ConsumerRecord<?, ?> record) {
    return suspect.remove(Unsettled.partition(record));
  }

  void assigned(Collection<TopicPartition> partitions) {
    suspect.addAll(partitions);
  }

  /** Gives back what is not started: the listener never got it, or gets it by another way. */
  void releaseAll() {
    upcoming.clear();
    giveBack(List.copyOf(ahead.values()));
    ahead.clear();
  }

  /** Gives back what is not started of partitions that move. */
  void release(Collection<TopicPartition> partitions) {
    upcoming.removeIf(record -> partitions.contains(Unsettled.partition(record)));
    releasePlaces(
        ahead.keySet().stream().filter(p -> partitions.contains(p.partition())).toList(), 0);
  }

  /** Gives back what was claimed from this record on in its partition, and beyond it alone. */
  void releaseFrom(ConsumerRecord<?, ?> record) {
    TopicPartition partition = Unsettled.partition(record);
    upcoming.removeIf(
        next -> Unsettled.partition(next).equals(partition) && next.offset() >= record.offset());
    releasePlaces(
        ahead.keySet().stream().filter(p -> p.partition().equals(partition)).toList(),
        record.offset());
  }

  private void releasePlaces(List<Place> places, long from) {
    List<Ahead> gone = new ArrayList<>();
    for (Place place : places) {
      if (place.offset() >= from) {
        Ahead one = ahead.remove(place);
        if (one != null) {
          gone.add(one);
        }
      }
    }
    giveBack(gone);
  }

  private void giveBack(List<Ahead> gone) {
    List<Held> held =
        gone.stream()
            .map(Ahead::claimed)
            .filter(Claimed.Acquired.class::isInstance)
            .map(claimed -> ((Claimed.Acquired) claimed).held())
            .toList();
    guard.claims().release(held);
  }
}
