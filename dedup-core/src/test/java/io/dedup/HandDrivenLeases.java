// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;

/** A process that claims under leases, and renews them when a test says so. */
final class HandDrivenLeases {

  private final LeaseKeeper keeper;
  private final LeaseExecution execution;
  private final Policy policy;

  HandDrivenLeases(World world, Policy policy, Transactions transactions) {
    Listeners listeners = new Listeners(List.of(world.events));
    StoreCalls calls = new StoreCalls(world.clock, Duration.ofSeconds(10), listeners);
    this.keeper = new LeaseKeeper(calls, listeners);
    LeaseSettling settling = new LeaseSettling(calls, listeners);
    LeaseStart start = new LeaseStart(calls, keeper, settling, listeners, "us");
    this.execution =
        new LeaseExecution(
            world.store, calls, keeper, settling, start, transactions, listeners, "us");
    this.policy = policy;
  }

  Outcome<String> execute(IdempotencyKey key, Handler<String> handler) {
    return execution.execute(new Call<>(Delivery.of(key), handler, ResultCodec.none(), policy));
  }

  void renewDue() {
    keeper.renewDue();
  }
}
