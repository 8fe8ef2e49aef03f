// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.claim.SettleRequest;
import io.dedup.testkit.server.RedisServer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Claims and completions of new keys on Redis, and the least that they can cost. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PairsBenchmark {

  private @Nullable RedisServer redis;
  private @Nullable StorePairs store;
  private @Nullable LimitPairs pipelined;
  private @Nullable LimitPairs oneScript;
  private final Ids ids = new Ids();
  private List<SettleRequest> completions = List.of();

  /** Starts a Redis of its own. */
  @Setup
  public void setUp() {
    redis = Backends.startRedis();
    String uri = redis.redisUri();
    store = PairSources.onRedis(uri);
    pipelined = new LimitPairs(new RedisLimit(uri, RedisLimit.Calls.PIPELINED));
    oneScript = new LimitPairs(new RedisLimit(uri, RedisLimit.Calls.ONE_SCRIPT));
  }

  /** Ends it. */
  @TearDown
  public void tearDown() {
    Objects.requireNonNull(store).close();
    Objects.requireNonNull(pipelined).close();
    Objects.requireNonNull(oneScript).close();
    Objects.requireNonNull(redis).close();
  }

  /** The store: an exchange of 500 claims, then one of 500 completions. */
  @Benchmark
  @OperationsPerInvocation(Ids.BATCH)
  public void storeInTwoExchanges() {
    Objects.requireNonNull(store).claimAndComplete(ids.batch());
  }

  /** The store: the completions of the batch before, and 500 claims, in one exchange. */
  @Benchmark
  @OperationsPerInvocation(Ids.BATCH)
  public void storeInOneExchange() {
    completions = Objects.requireNonNull(store).exchange(completions, ids.batch());
  }

  /** The store: one key alone. */
  @Benchmark
  public void storeOneByOne() {
    Objects.requireNonNull(store).claimAndComplete(List.of(ids.one()));
  }

  /** The limit: 500 script calls sent together, twice. */
  @Benchmark
  @OperationsPerInvocation(Ids.BATCH)
  public void limitPipelined() {
    Objects.requireNonNull(pipelined).claimAndComplete(ids.batch());
  }

  /** The limit: one script call with 500 keys, twice. */
  @Benchmark
  @OperationsPerInvocation(Ids.BATCH)
  public void limitOneScript() {
    Objects.requireNonNull(oneScript).claimAndComplete(ids.batch());
  }
}
