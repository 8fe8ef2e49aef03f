// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import java.util.UUID;

/** What a running handler may know of the claim it runs under. Thread-safe. */
public interface DedupContext {

  /** Returns the key. */
  IdempotencyKey key();

  /**
   * Returns the claim's fencing token: larger than that of any earlier claim of the key. Pass it to
   * an outside system that refuses smaller ones, and a worker that lost its lease can do no harm
   * there.
   */
  long fencingToken();

  /** Returns the number of this run since the last answered settlement, from 1. */
  int attempt();

  /** Returns whether a predecessor may have started and never settled: its effect may be done. */
  boolean takenOver();

  /**
   * Returns the id of a message that this handler sends: the same for the same key and name in each
   * run, so that whoever receives it can tell it is the same message (a UUID of version 5, RFC
   * 9562).
   *
   * @param name tells the messages of one handler apart
   */
  UUID childId(String name);

  /**
   * Returns whether the lease is over, or another has the key. The outcome of this run will not
   * count unless nobody took over; a handler that can stop should.
   */
  boolean leaseLost();

  /**
   * Makes sure, at the store, that the claim still holds, before something that cannot be taken
   * back. After it has returned, nobody else gets the key for a lease, and whoever comes later
   * finds that this handler started.
   *
   * <p>Let pass what it throws: neither counts as the handler's failure.
   *
   * @throws LeaseLost if another has the key; the outcome is {@link Outcome.Fenced}
   * @throws io.dedup.claim.StoreException if the store does not answer; it is thrown on, and the
   *     next delivery runs
   */
  void pointOfNoReturn();
}
