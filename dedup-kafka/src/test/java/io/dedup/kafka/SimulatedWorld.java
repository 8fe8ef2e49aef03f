// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Members of a group, the log they read, the store they share, and time; and what must hold of them
 * whatever happens. Everything is done by one thread.
 */
final class SimulatedWorld {

  static final String TOPIC = "orders";
  private static final Duration SESSION = Duration.ofSeconds(9);
  private static final int STEPS = 60;
  private static final int STEPS_TO_THE_END = 600;
  private static final int MEMBERS_MAX = 3;

  private final Schedule schedule;
  private final RecordReader<byte[], String> reader;
  private final SimulatedTime time = new SimulatedTime(this::goOn);
  private final InMemoryClaimStore store = InMemoryClaimStore.create(time.storeTime(), 1_000);
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> log = new HashMap<>();
  private final Map<TopicPartition, Long> committed = new HashMap<>();
  private final Map<TopicPartition, SimulatedMember> owners = new HashMap<>();
  private final Set<TopicPartition> leaving = new HashSet<>();
  private final Map<SimulatedMember, Long> goneSince = new HashMap<>();
  private final List<SimulatedMember> members = new ArrayList<>();
  private final Map<String, Integer> effects = new HashMap<>();
  private final Map<String, SimulatedMember> running = new HashMap<>();
  private final Map<String, IdempotencyKey> started = new HashMap<>();
  private final Set<Place> letters = new HashSet<>();
  private final int maxUnsettled;
  private final int recordsAPoll;
  private final String poison;
  private final String killer;
  private int made;
  private int troubles;
  private int depth;
  private @Nullable BrokenPromise broken;

  SimulatedWorld(Schedule schedule, RecordReader<byte[], String> reader) {
    this.schedule = schedule;
    this.reader = reader;
    this.maxUnsettled = schedule.oneOf(List.of(1, 2, 3, 100));
    this.recordsAPoll = 1 + schedule.upTo(8);
    int keys = 3 + schedule.upTo(8);
    this.poison = schedule.happens(0.2) ? "k" + schedule.upTo(keys) : "";
    this.killer = schedule.happens(0.1) ? "k" + schedule.upTo(keys) : "";
    int count = 1 + schedule.upTo(3);
    for (int p = 0; p < count; p++) {
      TopicPartition partition = new TopicPartition(TOPIC, p);
      partitions.add(partition);
      committed.put(partition, 0L);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      int length = schedule.upTo(9);
      for (int offset = 0; offset < length; offset++) {
        records.add(record(p, offset, "k" + schedule.upTo(keys)));
      }
      log.put(partition, records);
    }
  }

  private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, String id) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Bench.ID, SimulatedMember.bytes(id));
    return new ConsumerRecord<>(
        TOPIC,
        partition,
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        id.length(),
        null,
        SimulatedMember.bytes(id),
        headers,
        Optional.empty());
  }

  // What happens.

  void run() {
    join();
    for (int i = 0; i < STEPS && goesOn(); i++) {
      step();
    }
    schedule.calmDown();
    for (int i = 0; i < STEPS_TO_THE_END && goesOn(); i++) {
      step();
    }
    if (broken != null) {
      // Wherever it was found, and whoever caught it there.
      throw broken;
    }
    require(isAtTheEnd(), "everything is committed in the end, and not " + committed);
    requireAllDone();
  }

  private boolean goesOn() {
    return broken == null && !isAtTheEnd();
  }

  private boolean isAtTheEnd() {
    return partitions.stream().allMatch(p -> committed.get(p) == log.get(p).size());
  }

  private void step() {
    if (aliveMembers().isEmpty()
        || (aliveMembers().size() < MEMBERS_MAX && !schedule.isCalm() && schedule.happens(0.1))) {
      join();
    }
    balance();
    List<SimulatedMember> ready = members.stream().filter(SimulatedMember::mayTakeATurn).toList();
    if (!ready.isEmpty()) {
      SimulatedMember member = schedule.oneOf(ready);
      if (schedule.happens(Fault.LEAVE)) {
        member.leave();
        goneSince.put(member, time.nanos());
      } else {
        member.takeATurn();
      }
    }
    advance(Duration.ofMillis(schedule.upTo(schedule.isCalm() ? 2_000 : 300)));
  }

  private void join() {
    SimulatedMember member = new SimulatedMember(this, schedule, "m" + ++made, maxUnsettled);
    members.add(member);
    member.tell("joins");
  }

  private List<SimulatedMember> aliveMembers() {
    return members.stream().filter(SimulatedMember::isAlive).toList();
  }

  /** What the group's coordinator does. */
  private void balance() {
    List<SimulatedMember> choice =
        aliveMembers().stream().filter(member -> !member.isFrozen()).toList();
    for (TopicPartition partition : partitions) {
      SimulatedMember owner = owners.get(partition);
      if (owner != null && isGone(owner)) {
        schedule.tell(partition + " is nobody's");
        owners.remove(partition);
        leaving.remove(partition);
        owner = null;
      }
      if (choice.isEmpty()) {
        continue;
      }
      if (owner == null) {
        owners.put(partition, schedule.oneOf(choice));
      } else if (schedule.happens(Fault.EVICTION)) {
        schedule.tell(partition + " is taken from " + owner);
        leaving.remove(partition);
        owners.put(partition, schedule.oneOf(choice));
      } else if (schedule.happens(Fault.REBALANCE)) {
        schedule.tell(partition + " is to leave " + owner);
        leaving.add(partition);
      }
    }
  }

  private boolean isGone(SimulatedMember member) {
    Long since = goneSince.get(member);
    return since != null && time.nanos() - since > SESSION.toNanos();
  }

  /** Others have some turns. */
  void letOthers(SimulatedMember than, int turns) {
    if (depth > 1) {
      return;
    }
    depth++;
    for (int i = 0; i < turns; i++) {
      List<SimulatedMember> ready =
          members.stream().filter(m -> m != than && m.mayTakeATurn()).toList();
      if (!ready.isEmpty()) {
        balance();
        schedule.oneOf(ready).takeATurn();
      }
    }
    depth--;
  }

  /** A process stands still for longer than its session and its leases last. */
  void longPause(SimulatedMember member) {
    troubles++;
    goneSince.put(member, time.nanos());
    for (int i = 0; i < 6; i++) {
      advance(Duration.ofSeconds(2));
      balance();
      letOthers(member, 1);
    }
    goneSince.remove(member);
  }

  void died(SimulatedMember member) {
    if (goneSince.putIfAbsent(member, time.nanos()) == null) {
      troubles++;
    }
  }

  void advance(Duration step) {
    time.advance(step);
  }

  private void goOn() {
    members.forEach(SimulatedMember::goOn);
  }

  // What members see.

  SimulatedTime time() {
    return time;
  }

  InMemoryClaimStore store() {
    return store;
  }

  RecordReader<byte[], String> reader() {
    return reader;
  }

  int recordsAPoll() {
    return recordsAPoll;
  }

  List<ConsumerRecord<byte[], byte[]>> read(TopicPartition partition, long from, int most) {
    List<ConsumerRecord<byte[], byte[]>> all = log.get(partition);
    return all.subList((int) from, Math.min(all.size(), (int) from + most));
  }

  long committed(TopicPartition partition) {
    return committed.get(partition);
  }

  boolean isOwner(SimulatedMember member, TopicPartition partition) {
    return owners.get(partition) == member;
  }

  Set<TopicPartition> ownedBy(SimulatedMember member) {
    return partitions.stream()
        .filter(partition -> isOwner(member, partition))
        .collect(Collectors.toCollection(HashSet::new));
  }

  Set<TopicPartition> leaving() {
    return leaving;
  }

  void left(Set<TopicPartition> gone) {
    leaving.removeAll(gone);
    gone.forEach(owners::remove);
  }

  boolean isPoison(ConsumerRecord<?, String> record) {
    return record.value().equals(poison);
  }

  boolean kills(ConsumerRecord<?, String> record) {
    return record.value().equals(killer);
  }

  // What must hold.

  void begins(SimulatedMember member, ConsumerRecord<?, String> record, IdempotencyKey key) {
    member.tell("begins " + record.value() + " of " + Place.of(record));
    started(key);
    SimulatedMember other = running.put(record.value(), member);
    require(
        other == null || other.isFrozen() || !other.isAlive() || goneSince.containsKey(other),
        record.value() + " does not run twice at a time, with " + other);
    require(
        !effects.containsKey(record.value()) || troubles > 0,
        record.value() + " does not run again without trouble");
  }

  void started(IdempotencyKey key) {
    started.put(key.id(), key);
  }

  void ends(SimulatedMember member, ConsumerRecord<?, String> record) {
    running.remove(record.value(), member);
  }

  void effect(SimulatedMember member, ConsumerRecord<?, String> record) {
    member.tell("does " + record.value());
    Place place = Place.of(record);
    if (!effects.containsKey(record.value())) {
      for (ConsumerRecord<byte[], byte[]> before :
          read(place.partition(), 0, (int) place.offset())) {
        require(isDone(before), Place.of(before) + " is done before the first effect of " + place);
      }
    }
    effects.merge(record.value(), 1, Integer::sum);
  }

  private boolean isDone(ConsumerRecord<byte[], byte[]> record) {
    return effects.containsKey(id(record)) || letters.contains(Place.of(record));
  }

  void kept(SimulatedMember member, DeadLetter letter) {
    String id = id(letter.record());
    member.tell(
        "keeps a dead letter of "
            + Place.of(letter.record())
            + ": "
            + letter.reason()
            + ", "
            + letter.detail());
    require(started.containsKey(id), id + " was started before it became a dead letter");
    require(
        !effects.containsKey(id) || troubles > 0,
        id + " is no dead letter, since its effect is done");
    letters.add(Place.of(letter.record()));
  }

  void commit(SimulatedMember member, TopicPartition partition, long offset) {
    member.tell("commits " + partition + "@" + offset);
    for (ConsumerRecord<byte[], byte[]> record :
        read(
            partition,
            committed.get(partition),
            (int) Math.max(0, offset - committed.get(partition)))) {
      require(
          letters.contains(Place.of(record)) || isStored(id(record)),
          Place.of(record) + " is settled before its offset is committed");
    }
    committed.put(partition, offset);
  }

  private boolean isStored(String id) {
    IdempotencyKey key = started.get(id);
    return key != null
        && store.find(key).filter(found -> found.state() == State.SUCCEEDED).isPresent();
  }

  private void requireAllDone() {
    log.values()
        .forEach(records -> records.forEach(r -> require(isDone(r), Place.of(r) + " is done")));
    int doubled = effects.values().stream().mapToInt(count -> count - 1).sum();
    require(
        doubled <= troubles * maxUnsettled,
        doubled + " effects too many are within the bound of " + troubles + " x " + maxUnsettled);
  }

  private static String id(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.value(), UTF_8);
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      schedule.tell("BROKEN: " + what);
      broken = broken == null ? new BrokenPromise(what) : broken;
      throw broken;
    }
  }

  /** Something that must hold does not. No part of a member catches it. */
  static final class BrokenPromise extends InternalError {
    private static final long serialVersionUID = 1;

    BrokenPromise(String what) {
      super(what);
    }
  }
}
