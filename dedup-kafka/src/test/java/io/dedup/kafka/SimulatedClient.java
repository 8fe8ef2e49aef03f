// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** A member's client: what a poll loop calls of Kafka's, with the brokers of a simulated world. */
final class SimulatedClient {

  private final SimulatedWorld world;
  private final SimulatedMember member;
  private final Schedule schedule;

  /** What this client takes for assigned, and where it reads on. */
  private final Map<TopicPartition, Long> positions =
      new TreeMap<>((a, b) -> Integer.compare(a.partition(), b.partition()));

  private final Set<TopicPartition> paused = new HashSet<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();

  SimulatedClient(SimulatedWorld world, SimulatedMember member, Schedule schedule) {
    this.world = world;
    this.member = member;
    this.schedule = schedule;
  }

  @SuppressWarnings("unchecked")
  Consumer<byte[], byte[]> asConsumer() {
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            SimulatedClient.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, args) -> call(method.getName(), args));
  }

  @SuppressWarnings("unchecked")
  private Object call(String method, Object[] args) {
    return switch (method) {
      case "poll" -> poll((Duration) args[0]);
      case "paused" -> Set.copyOf(paused);
      case "pause" -> {
        paused.addAll((Collection<TopicPartition>) args[0]);
        yield null;
      }
      case "resume" -> {
        paused.removeAll((Collection<TopicPartition>) args[0]);
        yield null;
      }
      case "commitAsync" ->
          commitAsync(
              (Map<TopicPartition, OffsetAndMetadata>) args[0], (OffsetCommitCallback) args[1]);
      case "commitSync" -> {
        member.meanwhile("a commit");
        commit((Map<TopicPartition, OffsetAndMetadata>) args[0]);
        yield null;
      }
      case "close" -> null;
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    member.meanwhile("a poll");
    while (!answers.isEmpty()) {
      answers.poll().run();
    }
    rebalance();
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    int most = world.recordsAPoll();
    for (TopicPartition partition : List.copyOf(positions.keySet())) {
      long from = positions.get(partition);
      List<ConsumerRecord<byte[], byte[]>> read =
          paused.contains(partition) ? List.of() : world.read(partition, from, most);
      if (!read.isEmpty()) {
        records.put(partition, read);
        next.put(partition, new OffsetAndMetadata(from + read.size()));
        positions.put(partition, from + read.size());
      }
    }
    if (records.isEmpty()) {
      world.advance(timeout);
    }
    return new ConsumerRecords<>(records, next);
  }

  private void rebalance() {
    Set<TopicPartition> lost = new HashSet<>(positions.keySet());
    lost.removeIf(partition -> world.isOwner(member, partition));
    if (!lost.isEmpty()) {
      member.tell("learns that it has lost " + lost);
      forget(lost);
      member.loop().onPartitionsLost(lost);
    }
    Set<TopicPartition> leaving = new HashSet<>(positions.keySet());
    leaving.retainAll(world.leaving());
    if (!leaving.isEmpty()) {
      member.tell("is asked for " + leaving);
      member.loop().onPartitionsRevoked(leaving);
      forget(leaving);
      world.left(leaving);
    }
    Set<TopicPartition> assigned = world.ownedBy(member);
    assigned.removeAll(positions.keySet());
    Set<TopicPartition> neverCame = new HashSet<>(assigned);
    neverCame.retainAll(world.leaving());
    world.left(neverCame);
    assigned.removeAll(neverCame);
    if (!assigned.isEmpty()) {
      member.tell("gets " + assigned);
      assigned.forEach(partition -> positions.put(partition, world.committed(partition)));
      member.loop().onPartitionsAssigned(assigned);
    }
  }

  private void forget(Set<TopicPartition> partitions) {
    partitions.forEach(
        partition -> {
          positions.remove(partition);
          paused.remove(partition);
        });
  }

  private Object commitAsync(
      Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
    member.meanwhile("a commit");
    try {
      commit(offsets);
      answers.add(() -> callback.onComplete(offsets, null));
    } catch (CommitFailedException | TimeoutException e) {
      answers.add(() -> callback.onComplete(offsets, e));
    }
    return null;
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (!offsets.keySet().stream().allMatch(partition -> world.isOwner(member, partition))) {
      throw new CommitFailedException();
    }
    boolean lost = schedule.happens(Fault.LOST_COMMIT);
    if (!lost || schedule.happens(0.5)) {
      offsets.forEach((partition, offset) -> world.commit(member, partition, offset.offset()));
    }
    if (lost) {
      member.tell("has no answer to a commit");
      throw new TimeoutException("lost");
    }
  }
}
