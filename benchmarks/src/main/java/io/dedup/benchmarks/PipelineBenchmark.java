// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Claims;
import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.Held;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What claiming ahead and settling behind cost the consumer's process itself: on the store in
 * memory, which costs little and no round trip.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PipelineBenchmark {

  private static final Duration SETTLED_WITHIN = Duration.ofSeconds(10);

  private final Ids ids = new Ids();
  private @Nullable Deduplicator deduplicator;

  /** Begins each iteration with an empty store. */
  @Setup(Level.Iteration)
  public void setUp() {
    deduplicator = Deduplicator.builder(InMemoryClaimStore.create()).build();
  }

  /** Ends it. */
  @TearDown(Level.Iteration)
  public void tearDown() {
    Objects.requireNonNull(deduplicator).close();
  }

  /** Claims 500 keys, completes each behind, and waits until all are stored. */
  @Benchmark
  @OperationsPerInvocation(Ids.BATCH)
  public void claimAheadSettleBehind() {
    Deduplicator dedup = Objects.requireNonNull(deduplicator);
    Claims claims = dedup.claims();
    List<Ask> asks =
        ids.batch().stream()
            .map(id -> new Ask(Delivery.of(IdempotencyKey.of("records", id)), dedup.policy()))
            .toList();
    List<Held> held = new ArrayList<>(asks.size());
    for (Claimed claimed : claims.claim(asks)) {
      if (!(claimed instanceof Claimed.Acquired acquired)) {
        throw new IllegalStateException("not acquired: " + claimed);
      }
      acquired.held().start();
      acquired.held().complete(null);
      held.add(acquired.held());
    }
    if (!claims.settle(held, SETTLED_WITHIN)) {
      throw new IllegalStateException("not settled");
    }
  }
}
