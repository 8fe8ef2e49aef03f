// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store under test, put back into any state that it was in before, by its own verbs. Not
 * thread-safe.
 */
final class Bench {

  /** Before everything, so every record is live and can be copied in and out. */
  private static final Instant DAWN = Instant.EPOCH;

  private final TransitionTable table;
  private final ClaimStore store;
  private Instant now = DAWN;
  private @Nullable ClaimRecord held;

  Bench(TransitionTable table, Function<StoreTime, ClaimStore> stores) {
    this.table = table;
    this.store = stores.apply(() -> now);
  }

  static Bench of(TransitionTable table) {
    return new Bench(table, time -> new InMemoryClaimStore(table, time, 1));
  }

  /** Does something to the store, in a state and at a time. */
  <A> A act(@Nullable ClaimRecord record, int tick, Function<ClaimStore, A> action) {
    if (!Objects.equals(record, held)) {
      now = DAWN;
      store.forget(Setting.KEY);
      if (record != null) {
        store.merge(Map.of(Setting.KEY, record));
      }
    }
    now = Setting.at(tick);
    A answer = action.apply(store);
    now = DAWN;
    held = store.find(Setting.KEY).orElse(null);
    return answer;
  }

  /** Returns the record as the last action left it, expired or not. */
  @Nullable ClaimRecord record() {
    return held;
  }

  /** Whether the claim could complete the record now. */
  boolean canSettle(@Nullable ClaimRecord record, Claim claim, int tick) {
    Settlement done = new Settlement.Complete(null, Setting.ticks(1));
    return table.settle(record, new SettleRequest(claim, done), Setting.at(tick)).changes();
  }
}
