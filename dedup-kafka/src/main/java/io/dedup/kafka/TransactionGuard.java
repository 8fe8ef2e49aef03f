// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Ask;
import io.dedup.BatchEntry;
import io.dedup.Deduplicator;
import io.dedup.Held;
import io.dedup.LoggedRun;
import io.dedup.Outcome;
import io.dedup.claim.StoredResult;
import io.dedup.kafka.topic.TopicIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has effects happen in transactions of the database, of one record each or of several. Of several,
 * all are rolled back if one fails; they are run again, each in a transaction of its own.
 */
final class TransactionGuard<K, V> implements RecordGuard {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionGuard.class);

  private final UpcomingRecords<K, V> upcoming;
  private final RecordReader<K, V> reader;
  private final RecordDeduplicator records;
  private final Deduplicator deduplicator;
  private final RecordHandler<K, V> handler;
  private final int together;

  /** What became of records that were handled with one before them. */
  private final Map<Place, Disposition> known = new HashMap<>();

  private int alone;

  TransactionGuard(
      RecordReader<K, V> reader,
      RecordDeduplicator records,
      RecordHandler<K, V> handler,
      int together) {
    this.upcoming = new UpcomingRecords<>(reader, records.asks());
    this.reader = reader;
    this.records = records;
    this.deduplicator = records.deduplicator();
    this.handler = handler;
    this.together = together;
  }

  @Override
  public Disposition process(
      ConsumerRecord<byte[], byte[]> raw,
      boolean suspect,
      Iterable<ConsumerRecord<byte[], byte[]>> next) {
    Place place = Place.of(raw);
    Disposition disposition = known.remove(place);
    if (disposition != null) {
      return disposition;
    }
    if (suspect || together == 1) {
      return alone(raw, suspect);
    }
    if (alone > 0) {
      alone--;
      return alone(raw, false);
    }
    Map<Place, Ahead.Asked<K, V>> group = group(raw, next);
    if (group.size() < 2) {
      return alone(raw, false);
    }
    try {
      group(group);
    } catch (Exception | Error e) {
      if (e instanceof Error error && RecordStep.concernsTheProcess(error)) {
        throw error;
      }
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      // All of it was rolled back; which record it was shows when each is alone.
      LOG.debug("a transaction of {} records was rolled back", group.size(), e);
      alone = group.size() - 1;
      return alone(raw, false);
    }
    return Objects.requireNonNull(known.remove(place));
  }

  private Disposition alone(ConsumerRecord<byte[], byte[]> raw, boolean suspect) {
    ConsumerRecord<K, V> record;
    try {
      record = reader.read(raw);
    } catch (RuntimeException e) {
      return new Disposition.Dead(DeadLetter.Reason.DESERIALIZATION, e, e.toString());
    }
    return Dispositions.of(records.process(raw, record, handler, suspect));
  }

  /** Returns the record and those after it, up to the first that is not like the others. */
  private Map<Place, Ahead.Asked<K, V>> group(
      ConsumerRecord<byte[], byte[]> raw, Iterable<ConsumerRecord<byte[], byte[]>> next) {
    Map<Place, Ahead.Asked<K, V>> group = new LinkedHashMap<>();
    if (!add(group, raw)) {
      return group;
    }
    for (ConsumerRecord<byte[], byte[]> one : next) {
      if (group.size() == together || !add(group, one)) {
        break;
      }
    }
    return group;
  }

  private boolean add(Map<Place, Ahead.Asked<K, V>> group, ConsumerRecord<byte[], byte[]> raw) {
    try {
      if (upcoming.read(raw, false) instanceof Ahead.Asked<K, V> asked) {
        group.put(Place.of(raw), asked);
        return true;
      }
    } catch (RuntimeException e) {
      LOG.debug("{} is not handled together with others", Place.of(raw), e);
    }
    return false;
  }

  private void group(Map<Place, Ahead.Asked<K, V>> group) throws Exception {
    List<Place> places = List.copyOf(group.keySet());
    List<Ahead.Asked<K, V>> records = List.copyOf(group.values());
    List<Ask> asks = records.stream().map(Ahead.Asked::ask).toList();
    List<Outcome<StoredResult>> outcomes =
        deduplicator.executeTogether(asks, entries -> handle(places, records, entries));
    for (int i = 0; i < places.size(); i++) {
      known.put(places.get(i), Dispositions.of(outcomes.get(i)));
    }
  }

  /** Handles what may be handled: nothing behind a record of its partition that is not done. */
  private List<Integer> handle(
      List<Place> places, List<Ahead.Asked<K, V>> records, List<BatchEntry> entries)
      throws Exception {
    List<Integer> done = new ArrayList<>();
    Set<TopicPartition> waiting = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      TopicPartition partition = places.get(i).partition();
      BatchEntry entry = entries.get(i);
      if (entry instanceof BatchEntry.Acquired acquired && !waiting.contains(partition)) {
        try (LoggedRun logged = LoggedRun.of(acquired.context())) {
          handler.handle(records.get(i).record(), acquired.context());
        }
        done.add(i);
      } else if (!isDone(entry, done)) {
        waiting.add(partition);
      }
    }
    return done;
  }

  private static boolean isDone(BatchEntry entry, List<Integer> done) {
    if (entry instanceof BatchEntry.Repeat repeat) {
      return done.contains(repeat.first());
    }
    return entry instanceof BatchEntry.Answered answered && answered.outcome().isDone();
  }

  /** What was handled is done, whoever asks for it next; it is a duplicate for them. */
  @Override
  public void giveBack(Collection<TopicPartition> partitions) {
    known.keySet().removeIf(place -> partitions.contains(place.partition()));
  }

  /** Whatever was committed is settled. */
  @Override
  public void settle(Collection<Held> held, Duration atMost) {}

  @Override
  public TopicIdentity topic(ConsumerRecord<?, ?> record) {
    return records.identity(record.topic());
  }

  @Override
  public String group() {
    return records.group();
  }
}
