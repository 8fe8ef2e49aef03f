// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import io.dedup.Transactions;
import java.util.function.Consumer;

/** Transactions that may take their process with them once they have committed. */
record MortalTransactions(Transactions transactions, Mortal mortal) implements Transactions {

  @Override
  public <T> T inTransaction(Work<T> work) throws Exception {
    T result = transactions.inTransaction(work);
    mortal.at(Arrow.TRANSACTION_COMMITTED);
    return result;
  }

  @Override
  public <T> T inSavepoint(Work<T> work) throws Exception {
    return transactions.inSavepoint(work);
  }

  @Override
  public boolean isActive() {
    return transactions.isActive();
  }

  @Override
  public void afterCompletion(Consumer<Completion> listener) {
    transactions.afterCompletion(listener);
  }
}
