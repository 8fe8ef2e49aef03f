// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A process, the store it shares with rivals, and time, which a test moves by hand. */
final class World implements AutoCloseable {

  static final IdempotencyKey KEY = IdempotencyKey.of("payments", "4711");
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration TTL = Duration.ofDays(7);

  final ManualClock clock = new ManualClock();
  final InMemoryClaimStore memory = InMemoryClaimStore.create(clock.storeTime(), 10_000);
  final FaultyStore store = new FaultyStore(memory);
  final ToldEvents events = new ToldEvents();
  private final List<Deduplicator> open = new ArrayList<>();

  /** Returns our process's deduplicator, with the defaults. */
  Deduplicator dedup() {
    return dedup(p -> p);
  }

  Deduplicator dedup(UnaryOperator<Policy.Builder> changes) {
    return opened(builder().policy(changes).build());
  }

  Deduplicator.Builder builder() {
    return Deduplicator.builder(store).clock(clock).listener(events).owner("us");
  }

  Deduplicator opened(Deduplicator deduplicator) {
    open.add(deduplicator);
    return deduplicator;
  }

  /** Returns another process's deduplicator, whose way to the store is sound. */
  Deduplicator rival() {
    return opened(Deduplicator.builder(memory).clock(clock).owner("rival").build());
  }

  /** Another process claims the key and starts. */
  Claim rivalStarts(IdempotencyKey key) {
    ClaimRequest request = ClaimRequest.builder(key, "rival", LEASE, TTL).build();
    ClaimAnswer answer = memory.claim(List.of(request)).claimed().get(0);
    assertThat(answer).isInstanceOf(ClaimAnswer.Acquired.class);
    return request.claim(((ClaimAnswer.Acquired) answer).token());
  }

  SettleAnswer rivalSettles(Claim claim, Settlement settlement) {
    return memory.settle(List.of(new SettleRequest(claim, settlement))).settled().get(0);
  }

  void rivalCompletes(Claim claim) {
    assertThat(rivalSettles(claim, new Settlement.Complete(null, TTL)))
        .isInstanceOf(SettleAnswer.Applied.class);
  }

  /** A process claims the key, starts and vanishes; its lease ends. */
  void workerVanishes(IdempotencyKey key) {
    rivalStarts(key);
    clock.advance(LEASE);
  }

  ClaimRecord stored() {
    return stored(KEY);
  }

  ClaimRecord stored(IdempotencyKey key) {
    return memory.find(key).orElseThrow();
  }

  State state() {
    return stored().state();
  }

  static Delivery delivery() {
    return Delivery.of(KEY);
  }

  /** Returns the origin of a Kafka record. */
  static Origin record(long offset) {
    return Origin.kafka("cluster", "topic", 3, offset, 1);
  }

  static <T> Outcome<T> execute(
      Deduplicator dedup, UnaryOperator<Policy.Builder> changes, Handler<T> handler) {
    return dedup.execute(delivery(), handler, ResultCodec.none(), dedup.policy().with(changes));
  }

  @Override
  public void close() {
    open.forEach(Deduplicator::close);
  }
}
