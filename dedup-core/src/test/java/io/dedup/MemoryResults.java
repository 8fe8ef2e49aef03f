// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results in memory, and what their world was like when they were put there. */
final class MemoryResults implements ResultStore {

  /** A result with its expiry. */
  private record Kept(StoredResult result, Instant expires) {}

  private final World world;
  private final Map<String, Kept> kept = new HashMap<>();
  final List<Boolean> doneWhenPut = new ArrayList<>();
  boolean down;

  MemoryResults(World world) {
    this.world = world;
  }

  @Override
  public long maxBytes() {
    return 1000;
  }

  @Override
  public String put(StoredResult result, Duration ttl) {
    checkUp();
    doneWhenPut.add(
        world.memory.find(World.KEY).filter(r -> r.state().name().equals("SUCCEEDED")).isPresent());
    String reference = "r" + kept.size();
    kept.put(reference, new Kept(result, world.clock.now().plus(ttl)));
    return reference;
  }

  @Override
  public Optional<StoredResult> find(String reference) {
    checkUp();
    return Optional.ofNullable(kept.get(reference))
        .filter(one -> one.expires().isAfter(world.clock.now()))
        .map(Kept::result);
  }

  @Override
  public void extend(String reference, Duration ttl) {
    kept.computeIfPresent(
        reference, (r, one) -> new Kept(one.result(), world.clock.now().plus(ttl)));
  }

  @Override
  public int purgeExpired(int limit) {
    kept.values().removeIf(one -> !one.expires().isAfter(world.clock.now()));
    return 0;
  }

  int size() {
    return kept.size();
  }

  void loseAll() {
    kept.clear();
  }

  private void checkUp() {
    if (down) {
      throw new StoreUnavailable("results: down", null);
    }
  }
}
