// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * Deduplicators that do nothing beside the thread that calls them, so that a run can be replayed.
 */
public final class ByHand {

  private ByHand() {}

  public static Deduplicator build(Deduplicator.Builder builder) {
    return builder.byHand().build();
  }

  /** Renews the leases that are due. */
  public static void renewDue(Deduplicator deduplicator) {
    deduplicator.renewDue();
  }

  /** Sends some of the completions that wait. */
  public static void sendSome(Deduplicator deduplicator) {
    deduplicator.claims().queue().sendSome();
  }
}
