// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.kafka.RecordAsk;
import io.dedup.kafka.WindowSize;
import io.dedup.kafka.topic.TopicReadException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/**
 * What one consumer of a guarded container has in hand. The listener and the consumer's proxy find
 * it by their thread, which is the consumer's. Confined to it, but for {@link #unsettled}.
 */
final class ConsumerWork {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerWork.class);
  private static final ThreadLocal<@Nullable ConsumerWork> CURRENT = new ThreadLocal<>();
  private static final ThreadLocal<@Nullable Boolean> BUSY = new ThreadLocal<>();
  private static final Duration SOON = Duration.ofMillis(500);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int WINDOW_MAX = 500;

  private final ContainerGuard guard;
  private final Window window;
  private final WindowSize size;
  private final Unsettled unsettled;

  /**
   * Claims whose records a listener has returned from and not acknowledged, and those that wait for
   * them.
   */
  private final Map<Held, List<Parked>> open = new ConcurrentHashMap<>();

  private final Map<Held, TopicPartition> places = new ConcurrentHashMap<>();

  private final Set<Held> returned = ConcurrentHashMap.newKeySet();
  private final Map<TopicPartition, Duration> waits = new HashMap<>();
  private boolean bound;
  private boolean ended;
  private boolean troubled;

  /**
   * A record that is acknowledged with another one that has its key.
   *
   * @param acknowledgment the container's, null if there is none
   */
  record Parked(ConsumerRecord<?, ?> record, @Nullable Acknowledgment acknowledgment) {}

  ConsumerWork(ContainerGuard guard) {
    this.guard = guard;
    this.window = new Window(guard);
    this.size =
        new WindowSize(guard.deduplicator().policy().lease(), Math.min(WINDOW_MAX, guard.window()));
    this.unsettled = new Unsettled(guard.claims());
  }

  /** The container introduces its consumer's thread, before the first poll and perhaps again. */
  static void begin(ContainerGuard guard) {
    ConsumerWork current = CURRENT.get();
    if (current == null || current.ended || !current.guard.equals(guard)) {
      CURRENT.set(new ConsumerWork(guard));
    }
  }

  static void end() {
    CURRENT.remove();
  }

  static @Nullable ConsumerWork current() {
    return CURRENT.get();
  }

  /** Returns the work of this thread, or work of its own for a listener that is called by hand. */
  static ConsumerWork of(ContainerGuard guard) {
    ConsumerWork current = CURRENT.get();
    return current != null && current.guard.equals(guard) ? current : new ConsumerWork(guard);
  }

  /** A record of this thread is busy: the container is about to ask what its error handler does. */
  static RecordBusy busy(String why, Duration pause, @Nullable Throwable cause) {
    BUSY.set(true);
    return new RecordBusy(why, pause, cause);
  }

  static boolean isBusy() {
    return Boolean.TRUE.equals(BUSY.get());
  }

  static void noLongerBusy() {
    BUSY.remove();
  }

  /** The record's partition waits from the next poll on: before that it is sought. */
  void waitBefore(ConsumerRecord<?, ?> record, Duration pause) {
    waits.put(Unsettled.partition(record), pause);
  }

  /** Returns the partitions that are to wait, once. */
  Map<TopicPartition, Duration> takeWaits() {
    Map<TopicPartition, Duration> taken = Map.copyOf(waits);
    waits.clear();
    return taken;
  }

  ContainerGuard guard() {
    return guard;
  }

  Window window() {
    return window;
  }

  Unsettled unsettled() {
    return unsettled;
  }

  /** The consumer is closed; its thread may serve another one. */
  void ended() {
    ended = true;
  }

  /** From now on commits wait for what is unsettled. */
  void bind() {
    bound = true;
  }

  /** Whether commits wait for what is unsettled; else each completion is stored at once. */
  boolean isBound() {
    return bound;
  }

  /** Says what is to be done with a record, waiting a little for one that is busy. */
  Verdict verdict(ConsumerRecord<?, ?> record) {
    uncommitted();
    unsettled.unblock(record);
    Verdict verdict = once(record, window.take(record, size.records()));
    long end = guard.clock().nanoTime() + SOON.toNanos();
    while (verdict instanceof Verdict.Wait wait && wait.cause() == null && waits(end)) {
      verdict = once(record, null);
    }
    return inShadow(record, verdict);
  }

  private boolean waits(long endNanos) {
    if (guard.clock().nanoTime() - endNanos >= 0) {
      return false;
    }
    try {
      guard.clock().sleep(POLL);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Says what is to be done with each record of a batch. A repeat of a key within the batch is a
   * duplicate of the first.
   */
  List<Verdict> verdicts(List<? extends ConsumerRecord<?, ?>> records) {
    uncommitted();
    List<@Nullable Verdict> verdicts = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    List<Ask> asks = new ArrayList<>();
    Set<Held> mine = new HashSet<>();
    try {
      for (int i = 0; i < records.size(); i++) {
        ConsumerRecord<?, ?> record = records.get(i);
        unsettled.unblock(record);
        Window.Ahead ahead = window.take(record, 0);
        if (ahead != null) {
          verdicts.add(inBatch(ahead.ask(), ahead.claimed(), mine));
        } else if (guard.guard(record.topic()) == GuardSwitch.OFF || Window.isUnreadable(record)) {
          verdicts.add(new Verdict.Run(null));
        } else {
          guard.prepare(List.of(record.topic()));
          RecordAsk asked = guard.asks().of(record, record, window.isSuspect(record));
          if (asked instanceof RecordAsk.Keyed keyed) {
            verdicts.add(null);
            open.add(i);
            asks.add(keyed.ask());
          } else if (asked instanceof RecordAsk.NoKey noKey) {
            verdicts.add(Verdicts.noKey(noKey.where(), noKey.why()));
          } else {
            verdicts.add(new Verdict.Run(null));
          }
        }
      }
      List<Claimed> answers = asks.isEmpty() ? List.of() : guard.claims().claim(asks);
      for (int i = 0; i < open.size(); i++) {
        verdicts.set(open.get(i), inBatch(asks.get(i), answers.get(i), mine));
      }
    } catch (StoreException | TopicReadException e) {
      guard.claims().release(mine);
      Verdict.Wait trouble = troubled(e);
      return records.stream().map(record -> inShadow(record, trouble)).toList();
    }
    List<Verdict> all = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      all.add(inShadow(records.get(i), Objects.requireNonNull(verdicts.get(i))));
    }
    return all;
  }

  private Verdict inBatch(Ask ask, Claimed claimed, Set<Held> mine) {
    if (claimed instanceof Claimed.HeldHere here && mine.contains(here.held())) {
      guard.claims().duplicateHere(ask, here.held());
      return new Verdict.Skip(here.held());
    }
    Verdict verdict = verdict(ask, claimed);
    if (verdict instanceof Verdict.Run run && run.held() != null) {
      mine.add(run.held());
    }
    return verdict;
  }

  private Verdict once(ConsumerRecord<?, ?> record, Window.@Nullable Ahead ahead) {
    if (guard.guard(record.topic()) == GuardSwitch.OFF || Window.isUnreadable(record)) {
      return new Verdict.Run(null);
    }
    try {
      if (ahead != null) {
        return verdict(ahead.ask(), ahead.claimed());
      }
      guard.prepare(List.of(record.topic()));
      return guard
          .asks()
          .of(record, record, window.isSuspect(record))
          .fold(
              this::alone,
              unguarded -> new Verdict.Run(null),
              noKey -> Verdicts.noKey(noKey.where(), noKey.why()));
    } catch (StoreException | TopicReadException e) {
      return troubled(e);
    }
  }

  private Verdict alone(RecordAsk.Keyed keyed) {
    return verdict(keyed.ask(), guard.claims().claim(List.of(keyed.ask())).get(0));
  }

  private Verdict verdict(Ask ask, Claimed claimed) {
    return claimed.fold(
        acquired -> started(acquired.held()),
        heldHere -> heldHere(ask, heldHere.held()),
        answered -> answered(ask, answered.outcome()),
        unreadable -> Verdicts.trouble(unreadable.cause()));
  }

  private static Verdict started(Held held) {
    Outcome<StoredResult> refusal = held.start();
    return refusal == null ? new Verdict.Run(held) : Verdicts.of(refusal);
  }

  private Verdict answered(Ask ask, Outcome<StoredResult> outcome) {
    if (!(outcome instanceof Outcome.InProgress)) {
      guard.claims().decided(ask, outcome);
    }
    return Verdicts.of(outcome);
  }

  private Verdict heldHere(Ask ask, Held held) {
    if (held.isDone()) {
      // Told as a duplicate of the twin, whose time of completion is about now.
      guard.claims().duplicateHere(ask, held);
      return new Verdict.Skip(held);
    }
    if (!held.isOpen()) {
      return Verdicts.of(new Outcome.InProgress<>("", Duration.ZERO));
    }
    if (!open.containsKey(held)) {
      // Another consumer of this process has it, or a value that completes later.
      return Verdicts.of(new Outcome.InProgress<>("", Verdicts.LONGEST_PAUSE));
    }
    boolean same = held.delivery().origin().sameRecordAs(ask.delivery().origin());
    return same ? new Verdict.Run(held) : new Verdict.Park(held);
  }

  Verdict inShadow(ConsumerRecord<?, ?> record, Verdict verdict) {
    if (verdict instanceof Verdict.Run || guard.guard(record.topic()) != GuardSwitch.SHADOW) {
      return verdict;
    }
    LOG.info(
        "shadow: {}-{}@{} would not have been handled: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        verdict.getClass().getSimpleName());
    return new Verdict.Run(null);
  }

  /** The listener has returned within a Kafka transaction, which commits or not after that. */
  void returned(Held held) {
    returned.add(held);
  }

  /** The Kafka transaction has committed: what was returned within it is done. */
  void committed() {
    returned.forEach(held -> held.complete(null));
    returned.clear();
  }

  /**
   * The container goes on. What was returned and not committed by now is not done: its Kafka
   * transaction was rolled back, or its producer fenced.
   */
  void uncommitted() {
    guard.claims().release(returned);
    returned.clear();
  }

  /**
   * The store is in trouble, or the brokers. Said once, not at each try.
   *
   * @return what that means for a record
   */
  Verdict.Wait troubled(RuntimeException e) {
    if (!troubled) {
      troubled = true;
      LOG.warn(
          "{}: the store is in trouble, nothing is handled meanwhile: {}",
          guard.listener(),
          e.getMessage());
    }
    return Verdicts.trouble(e);
  }

  void untroubled() {
    if (troubled) {
      troubled = false;
      LOG.info("{}: the store answers again", guard.listener());
    }
  }

  /** The listener is about to get a record that it will acknowledge by itself. */
  void opened(Held held, ConsumerRecord<?, ?> record) {
    places.put(held, Unsettled.partition(record));
    open.putIfAbsent(held, new CopyOnWriteArrayList<>());
  }

  /** A record waits for another with its key. Nothing behind it is committed meanwhile. */
  void park(Held twin, ConsumerRecord<?, ?> record, @Nullable Acknowledgment acknowledgment) {
    unsettled.block(record);
    List<Parked> parked = open.get(twin);
    if (parked == null) {
      // It was acknowledged this very moment.
      unparked(twin, List.of(new Parked(record, acknowledgment)));
    } else {
      parked.add(new Parked(record, acknowledgment));
    }
  }

  /** The listener has said what became of a record: those that waited are told. */
  void closed(Held held) {
    List<Parked> parked = open.remove(held);
    places.remove(held);
    if (parked != null) {
      unparked(held, parked);
    }
  }

  /**
   * Gives back what the listener has returned from and not acknowledged: whoever gets the partition
   * gets the record again.
   *
   * @param partitions of which; null for all
   */
  void releaseOpen(@Nullable Collection<TopicPartition> partitions) {
    List<Held> gone =
        open.keySet().stream()
            .filter(held -> partitions == null || partitions.contains(places.get(held)))
            .toList();
    guard.claims().release(gone);
    gone.forEach(
        held -> {
          open.remove(held);
          places.remove(held);
        });
  }

  private void unparked(Held held, List<Parked> parked) {
    for (Parked one : parked) {
      if (held.isDone()) {
        unsettled.add(one.record(), held);
        unsettled.unblock(one.record());
        if (one.acknowledgment() != null) {
          one.acknowledgment().acknowledge();
        }
      } else {
        unsettled.rewind(one.record());
      }
    }
  }

  /** The listener took this long for a record, in nanoseconds. */
  void took(long nanos) {
    size.took(nanos);
  }
}
