// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.claim.TieredStore;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The store that the application's claims are kept in, and those it is made of. Thread-safe. */
final class StoreSelection {

  private final Map<StoreKind, StoreOption> there = new EnumMap<>(StoreKind.class);
  private final @Nullable StoreKind kind;

  private StoreSelection(Iterable<StoreOption> options, @Nullable StoreKind kind) {
    options.forEach(option -> there.put(option.kind(), option));
    this.kind = kind;
  }

  /** Returns what there is where the application brings a store of its own. */
  static StoreSelection ofApplication(Iterable<StoreOption> options) {
    return new StoreSelection(options, null);
  }

  /**
   * Returns what is chosen.
   *
   * @throws ConfigurationRefused if nothing can be
   */
  static StoreSelection of(@Nullable StoreKind wanted, Iterable<StoreOption> options) {
    Set<StoreKind> kinds = EnumSet.noneOf(StoreKind.class);
    options.forEach(option -> kinds.add(option.kind()));
    return new StoreSelection(options, StoreChoice.choose(wanted, kinds));
  }

  /** Returns the choice, null where the application brings a store of its own. */
  @Nullable StoreKind kind() {
    return kind;
  }

  /** Whether the chosen store is this one, or made of it. */
  boolean uses(StoreKind one) {
    return kind == one || (kind == StoreKind.TIERED && one != StoreKind.MEMORY);
  }

  /** Opens the chosen store. */
  ClaimStore open(DedupProperties.Memory memory, StoreTime time, StoreMeasure measure) {
    return switch (Objects.requireNonNull(kind)) {
      case MEMORY ->
          measure.measured("memory", InMemoryClaimStore.create(time, memory.maxRecords()));
      case TIERED -> tiered(measure);
      case REDIS -> one(StoreKind.REDIS, measure);
      case JDBC -> one(StoreKind.JDBC, measure);
    };
  }

  /**
   * Opens the database with Redis in front of it, whichever store is chosen. What Redis knows of
   * the database before a standby was promoted is not found any more afterwards.
   */
  TieredStore tiered(StoreMeasure measure) {
    StoreOption database = option(StoreKind.JDBC);
    StoreOption redis = option(StoreKind.REDIS);
    TieredStore tiers =
        TieredStore.of(
            one(StoreKind.JDBC, measure),
            database::identity,
            identity -> measure.measured("front", redis.inFrontOf(identity)));
    tiers.verify();
    return tiers;
  }

  /** Opens one of the stores there are, whichever is chosen. */
  ClaimStore one(StoreKind one, StoreMeasure measure) {
    String name = one == StoreKind.REDIS ? "redis" : "jdbc";
    return measure.measured(name, option(one).store());
  }

  /**
   * Returns the stores in which an operator finds the keys of all modes, the chosen one first.
   * Where Redis is in front of the database for some topics, only both together are changed: what
   * was reopened in the database alone would stay done in front of it.
   *
   * @param chosen the application's store
   * @param anyTransactional whether anything is transactional
   * @param anyTiered whether anything has Redis in front
   * @param hot remembers what they answered, and is to forget what is changed
   */
  List<ClaimStore> ofAllModes(
      ClaimStore chosen,
      boolean anyTransactional,
      boolean anyTiered,
      HotStores hot,
      StoreMeasure measure) {
    if (anyTiered && kind != StoreKind.TIERED) {
      ClaimStore tiers = hot.around(StoreKind.TIERED, tiered(measure));
      return kind == StoreKind.JDBC ? List.of(tiers) : List.of(chosen, tiers);
    }
    return anyTransactional && !uses(StoreKind.JDBC)
        ? List.of(chosen, hot.around(StoreKind.JDBC, one(StoreKind.JDBC, measure)))
        : List.of(chosen);
  }

  private StoreOption option(StoreKind one) {
    return Objects.requireNonNull(there.get(one), () -> "no connection for " + one);
  }

  /** Returns the choice, for people. */
  @Override
  public String toString() {
    return kind == null ? "the application's own store" : kind.name().toLowerCase(Locale.ROOT);
  }
}
