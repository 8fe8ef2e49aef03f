// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.ResourceHolderSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Counts the claims of the transaction of this thread. It is suspended with the transaction, and
 * ends with it.
 */
final class ClaimCount extends ResourceHolderSupport {

  private int claims;

  private ClaimCount() {}

  /**
   * Adds claims to those that {@code inbox} has made in this transaction.
   *
   * @throws IllegalArgumentException if they become more than {@code max}
   */
  static void add(JdbcInbox inbox, int claims, int max) {
    ClaimCount count = (ClaimCount) TransactionSynchronizationManager.getResource(inbox);
    int before = count == null ? 0 : count.claims;
    if (before + claims > max) {
      throw new IllegalArgumentException(
          "claims: were " + (before + claims) + " in one transaction, must be at most " + max);
    }
    begun(count, inbox).claims += claims;
  }

  private static ClaimCount begun(@Nullable ClaimCount count, JdbcInbox inbox) {
    if (count != null) {
      return count;
    }
    ClaimCount first = new ClaimCount();
    TransactionSynchronizationManager.bindResource(inbox, first);
    TransactionSynchronizationManager.registerSynchronization(
        new ResourceHolderSynchronization<ClaimCount, JdbcInbox>(first, inbox) {});
    return first;
  }
}
