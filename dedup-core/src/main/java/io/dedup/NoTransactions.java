// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.util.function.Consumer;

/** No transaction is ever active. */
enum NoTransactions implements Transactions {
  INSTANCE;

  private static final String NONE =
      "no transactions: build the Deduplicator with a Transactions port";

  @Override
  public <T> T inTransaction(Work<T> work) {
    throw new IllegalStateException(NONE);
  }

  @Override
  public <T> T inSavepoint(Work<T> work) {
    throw new IllegalStateException(NONE);
  }

  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public void afterCompletion(Consumer<Completion> listener) {
    throw new IllegalStateException(NONE);
  }
}
