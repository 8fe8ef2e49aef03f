// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Transactions;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import java.util.List;

/** Tries at start whether inbox and transactions belong together. */
final class TransactionalInbox {

  private TransactionalInbox() {}

  /**
   * Asks the inbox for the time in a transaction of its own: with another database's transactions
   * it refuses.
   *
   * @throws ConfigurationRefused if they do not belong together
   * @throws StoreException if there is other trouble
   */
  static void check(ClaimStore inbox, Transactions transactions) {
    try {
      transactions.inTransaction(() -> inbox.exchange(List.of(), List.of()));
    } catch (StoreMisconfigured e) {
      throw new ConfigurationRefused(
          "dedup.jdbc.transaction-manager: must be the PlatformTransactionManager of the DataSource"
              + " that claims are kept in. "
              + e.getMessage(),
          "Set dedup.jdbc.transaction-manager (and dedup.jdbc.data-source) to beans that belong"
              + " together.",
          e);
    } catch (StoreException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("no transaction could be tried", e);
    }
  }
}
