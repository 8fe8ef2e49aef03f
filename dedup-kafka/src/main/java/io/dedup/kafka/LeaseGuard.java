// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Claims;
import io.dedup.Held;
import io.dedup.LoggedRun;
import io.dedup.Outcome;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.time.ProcessClock;
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

/**
 * Claims keys ahead of their handlers, many in one exchange, and has completions stored behind
 * them: for a whole poll about one exchange of each kind.
 *
 * <p>Of a partition only what stands before its first busy record stays claimed: two members that
 * wait for each other's keys would never end. Where an exchange for many fails, each is asked for
 * alone for a while, since it may be the trouble of one.
 */
final class LeaseGuard<K, V> implements RecordGuard {

  private static final int WINDOW_MAX = 500;

  private final UpcomingRecords<K, V> upcoming;
  private final RecordDeduplicator deduplicator;
  private final Claims claims;
  private final RecordHandler<K, V> handler;
  private final ProcessClock clock;
  private final WindowSize window;
  private final Map<Place, Ahead<K, V>> ahead = new HashMap<>();
  private int alone;

  LeaseGuard(
      RecordReader<K, V> reader,
      RecordDeduplicator deduplicator,
      RecordHandler<K, V> handler,
      ProcessClock clock) {
    this.upcoming = new UpcomingRecords<>(reader, deduplicator.asks());
    this.deduplicator = deduplicator;
    this.claims = deduplicator.claims();
    this.handler = handler;
    this.clock = clock;
    this.window = new WindowSize(deduplicator.asks().lease(), WINDOW_MAX);
  }

  @Override
  public Disposition process(
      ConsumerRecord<byte[], byte[]> raw,
      boolean suspect,
      Iterable<ConsumerRecord<byte[], byte[]>> next) {
    Ahead<K, V> found = ahead.remove(Place.of(raw));
    Ahead<K, V> one = found == null ? upcoming.read(raw, suspect) : found;
    if (one instanceof Ahead.Decided<K, V> decided) {
      return decided.disposition();
    }
    if (one instanceof Ahead.Unguarded<K, V> unguarded) {
      return Dispositions.of(deduplicator.unguarded(unguarded.record(), handler));
    }
    if (one instanceof Ahead.Answered<K, V> answered) {
      return disposition(answered.record(), answered.ask(), answered.claimed());
    }
    Ahead.Asked<K, V> asked = (Ahead.Asked<K, V>) one;
    Claimed claimed = suspect ? claimAlone(asked.ask()) : claim(raw, asked, next);
    return disposition(asked.record(), asked.ask(), claimed);
  }

  private Claimed claimAlone(Ask ask) {
    return claims.claim(List.of(ask)).get(0);
  }

  /** Asks for the first, and for as many of the next as may be asked for now. */
  private Claimed claim(
      ConsumerRecord<byte[], byte[]> raw,
      Ahead.Asked<K, V> first,
      Iterable<ConsumerRecord<byte[], byte[]>> next) {
    if (alone > 0) {
      alone--;
      return claimAlone(first.ask());
    }
    Map<Place, Ahead.Asked<K, V>> asked = new LinkedHashMap<>();
    asked.put(Place.of(raw), first);
    addNext(asked, next);
    List<Ask> asks = asked.values().stream().map(Ahead.Asked::ask).toList();
    List<Claimed> answers;
    try {
      answers = claims.claim(asks);
    } catch (StoreUnavailable e) {
      if (asks.size() == 1) {
        throw e;
      }
      alone = asks.size();
      return claimAlone(first.ask());
    }
    keepWhatCanRun(asked, answers);
    Ahead.Answered<K, V> answered = (Ahead.Answered<K, V>) ahead.remove(Place.of(raw));
    return Objects.requireNonNull(answered).claimed();
  }

  private void addNext(
      Map<Place, Ahead.Asked<K, V>> asked, Iterable<ConsumerRecord<byte[], byte[]>> next) {
    int wanted = window.records();
    for (ConsumerRecord<byte[], byte[]> raw : next) {
      if (asked.size() >= wanted) {
        return;
      }
      Place place = Place.of(raw);
      if (ahead.containsKey(place)) {
        continue;
      }
      try {
        Ahead<K, V> one = upcoming.read(raw, false);
        if (one instanceof Ahead.Asked<K, V> keyed) {
          asked.put(place, keyed);
        } else {
          ahead.put(place, one);
        }
      } catch (RuntimeException e) {
        // It is told when it is this record's turn.
        return;
      }
    }
  }

  private void keepWhatCanRun(Map<Place, Ahead.Asked<K, V>> asked, List<Claimed> answers) {
    Set<TopicPartition> busy = new HashSet<>();
    Set<Held> ours = new HashSet<>();
    List<Held> needless = new ArrayList<>();
    int i = 0;
    for (Map.Entry<Place, Ahead.Asked<K, V>> entry : asked.entrySet()) {
      Claimed claimed = answers.get(i++);
      TopicPartition partition = entry.getKey().partition();
      if (busy.contains(partition)) {
        if (claimed instanceof Claimed.Acquired acquired) {
          needless.add(acquired.held());
        }
        continue;
      }
      Ahead.Asked<K, V> one = entry.getValue();
      ahead.put(entry.getKey(), new Ahead.Answered<>(one.record(), one.ask(), claimed));
      if (claimed instanceof Claimed.Acquired acquired) {
        ours.add(acquired.held());
      } else if (isBusy(claimed, ours)) {
        busy.add(partition);
      }
    }
    claims.release(needless);
  }

  /** Whether somebody who is not before it in this thread has its key. */
  private boolean isBusy(Claimed claimed, Set<Held> ours) {
    if (claimed instanceof Claimed.HeldHere here) {
      return here.held().isOpen() && !ours.contains(here.held()) && !isAhead(here.held());
    }
    return claimed instanceof Claimed.Answered answered
        && answered.outcome() instanceof Outcome.InProgress;
  }

  private boolean isAhead(Held held) {
    return ahead.values().stream()
        .anyMatch(
            one ->
                one instanceof Ahead.Answered<K, V> answered
                    && answered.claimed() instanceof Claimed.Acquired acquired
                    && acquired.held() == held);
  }

  private Disposition disposition(ConsumerRecord<K, V> record, Ask ask, Claimed claimed) {
    return claimed.fold(
        acquired -> run(record, ask, acquired.held()),
        heldHere -> heldHere(ask, heldHere.held()),
        answered -> told(ask, answered.outcome()),
        unreadable -> {
          throw unreadable.cause();
        });
  }

  private Disposition run(ConsumerRecord<K, V> record, Ask ask, Held held) {
    Outcome<StoredResult> refusal = held.start();
    if (refusal != null) {
      return told(ask, refusal);
    }
    long started = clock.nanoTime();
    try (LoggedRun logged = LoggedRun.of(held.context())) {
      handler.handle(record, held.context());
    } catch (Exception e) {
      return failed(held, e);
    } catch (Error e) {
      held.fail(e);
      throw e;
    } finally {
      window.took(clock.nanoTime() - started);
    }
    held.complete(null);
    return new Disposition.Done(held);
  }

  private static Disposition failed(Held held, Exception thrown) {
    Outcome<StoredResult> outcome = held.fail(thrown);
    if (thrown instanceof StoreException trouble) {
      // Met in a call within the handler: trouble with a store is no failure of the record.
      throw trouble;
    }
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return Dispositions.of(outcome);
  }

  /** Another record of this process has the key. */
  private Disposition heldHere(Ask ask, Held held) {
    if (held.isDone()) {
      claims.duplicateHere(ask, held);
      return new Disposition.Done(held);
    }
    return Dispositions.of(new Outcome.InProgress<>("", Duration.ZERO));
  }

  private Disposition told(Ask ask, Outcome<StoredResult> outcome) {
    claims.decided(ask, outcome);
    return Dispositions.of(outcome);
  }

  @Override
  public void giveBack(Collection<TopicPartition> partitions) {
    List<Held> unused = new ArrayList<>();
    ahead
        .entrySet()
        .removeIf(
            entry -> {
              if (!partitions.contains(entry.getKey().partition())) {
                return false;
              }
              if (entry.getValue() instanceof Ahead.Answered<K, V> answered
                  && answered.claimed() instanceof Claimed.Acquired acquired) {
                unused.add(acquired.held());
              }
              return true;
            });
    claims.release(unused);
  }

  @Override
  public void settle(Collection<Held> held, Duration atMost) {
    claims.settle(held, atMost);
  }

  @Override
  public TopicIdentity topic(ConsumerRecord<?, ?> record) {
    return deduplicator.identity(record.topic());
  }

  @Override
  public String group() {
    return deduplicator.group();
  }
}
