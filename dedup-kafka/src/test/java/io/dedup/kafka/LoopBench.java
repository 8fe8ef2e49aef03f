// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A poll loop on the client that Kafka has for tests, with a clock that moves at each poll: for
 * what a broker does rarely.
 */
final class LoopBench implements AutoCloseable {

  static final String TOPIC = "orders";
  static final TopicPartition P0 = new TopicPartition(TOPIC, 0);
  static final TopicPartition P1 = new TopicPartition(TOPIC, 1);

  private static final String GROUP = "billing";
  private static final Duration TURN = Duration.ofSeconds(100);
  private static final Duration BETWEEN_POLLS = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final HandClock clock = new HandClock();
  final TroubledStore store = new TroubledStore(InMemoryClaimStore.create());
  final Client client = new Client();
  final List<String> effects = new ArrayList<>();
  final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
  final Map<TopicPartition, Long> committed = new HashMap<>();
  final Deque<RuntimeException> commitFailures = new ArrayDeque<>();
  RecordHandler<byte[], String> handler = (record, context) -> effects.add(record.value());
  DeadLetters deadLetters = letters::add;
  BackOff backOff = new BackOff(Duration.ZERO, Duration.ZERO, 2);
  UnaryOperator<TopicOptions> options = t -> t;
  RuntimeException closeFailure;
  PollLoop loop;
  int polls;

  /** Of the keys, as a handler saw it. */
  String scope;

  private final Deduplicator deduplicator = Deduplicator.builder(store).build();
  private final Deque<Runnable> script = new ArrayDeque<>();
  private BooleanSupplier enough = () -> true;

  /** Runs the loop: the script happens at the first polls, and it ends when there is enough. */
  void run(BooleanSupplier until, Runnable... happens) {
    script.addAll(List.of(happens));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    enough = () -> until.getAsBoolean() || System.nanoTime() - deadline > 0;
    RecordDeduplicator records =
        RecordDeduplicator.builder(deduplicator, GROUP)
            .topic(
                TOPIC,
                t -> options.apply(t.key(KeyExtractors.header(Bench.ID)).ttl(Duration.ofDays(1))))
            .build();
    records.prepare();
    try (RecordReader<byte[], String> reader = RecordReader.of(settings().asGiven());
        DeadLetterThread thread = new DeadLetterThread(deadLetters)) {
      RecordGuard guard = new LeaseGuard<>(reader, records, handler, clock);
      RecordStep step = new RecordStep(guard, backOff, thread::keep, clock);
      loop = new PollLoop(client, guard, step, partitions -> {}, clock, TURN, PATIENCE);
      loop.run(Set.of(TOPIC), () -> {}, Duration.ofSeconds(1));
    }
  }

  void runPolls(int count, Runnable... happens) {
    run(() -> polls > count, happens);
  }

  private static ClientSettings settings() {
    return ClientSettings.of(
        Map.of(
            "bootstrap.servers",
            "127.0.0.1:1",
            "group.id",
            GROUP,
            "value.deserializer",
            StringDeserializer.class));
  }

  /** Returns whether somebody else could claim the key of this id. */
  boolean claimedElsewhere(String id) {
    IdempotencyKey key = IdempotencyKey.of(scope, id);
    ClaimRequest request =
        ClaimRequest.builder(key, "rival", Duration.ofMinutes(10), Duration.ofDays(1)).build();
    return store.claim(List.of(request)).claimed().get(0) instanceof ClaimAnswer.Acquired;
  }

  void assign(TopicPartition... partitions) {
    client.updateBeginningOffsets(Map.of(P0, 0L, P1, 0L));
    client.rebalance(List.of(partitions));
  }

  void publish(int partition, long offset, String id) {
    client.addRecord(record(partition, offset, id));
  }

  /** Returns a record whose value is its id. */
  static ConsumerRecord<byte[], byte[]> record(int partition, long offset, String id) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Bench.ID, id.getBytes(UTF_8));
    return new ConsumerRecord<>(
        TOPIC,
        partition,
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        id.length(),
        null,
        id.getBytes(UTF_8),
        headers,
        Optional.empty());
  }

  @Override
  public void close() {
    deduplicator.close();
  }

  /** Kafka's, which also does what the test's script says. */
  final class Client extends MockConsumer<byte[], byte[]> {

    Client() {
      super("earliest");
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      polls++;
      clock.advance(BETWEEN_POLLS);
      Runnable next = script.poll();
      if (next != null) {
        next.run();
      } else if (enough.getAsBoolean()) {
        loop.stop();
      }
      return super.poll(timeout);
    }

    /** Kafka's commits wait by means of this one, without a callback. */
    @Override
    public synchronized void commitAsync(
        Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
      RuntimeException failure = commitFailures.poll();
      if (failure == null) {
        super.commitAsync(offsets, null);
        offsets.forEach((partition, offset) -> committed.put(partition, offset.offset()));
      } else if (callback == null) {
        throw failure;
      }
      if (callback != null) {
        callback.onComplete(offsets, failure);
      }
    }

    @Override
    public void close(CloseOptions how) {
      super.close(how);
      if (closeFailure != null) {
        throw closeFailure;
      }
    }
  }
}
