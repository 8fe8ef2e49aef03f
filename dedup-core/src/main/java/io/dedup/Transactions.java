// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.util.function.Consumer;

/**
 * The port through which the library reaches the application's transactions. Thread-bound: a
 * transaction belongs to the thread that began it.
 */
public interface Transactions {

  /**
   * Runs {@code work} in a new transaction and commits it.
   *
   * @return what the work returned; only after the commit is known to have succeeded
   * @throws TransactionConflict if the database ended the transaction in favour of another, at any
   *     statement or at the commit; nothing was stored, and the whole may be tried again
   * @throws CommitIndeterminate if the commit's answer was lost; the work may be stored or not
   * @throws Exception what the work threw, after the transaction was rolled back
   */
  <T> T inTransaction(Work<T> work) throws Exception;

  /**
   * Runs {@code work} within the transaction of this thread such that its writes can be undone
   * alone.
   *
   * @throws IllegalStateException if no transaction is active
   * @throws Exception what the work threw, after the writes since the call were undone
   */
  <T> T inSavepoint(Work<T> work) throws Exception;

  /**
   * Returns whether a transaction of this port is active in this thread that {@link #joined} can
   * take part in. Another database's does not count.
   */
  default boolean isJoinable() {
    return false;
  }

  /**
   * Runs {@code work} as part of the transaction of this thread, which goes on afterwards. After an
   * exception of the work it can only be rolled back, whoever swallows that.
   *
   * @return what the work returned; nothing is known to be stored yet
   * @throws IllegalStateException if there is none to join
   * @throws TransactionConflict if the database ended the transaction in favour of another
   * @throws Exception what the work threw
   */
  default <T> T joined(Work<T> work) throws Exception {
    throw new IllegalStateException("no transaction can be joined");
  }

  /** Returns whether a transaction is active in this thread. */
  boolean isActive();

  /**
   * Calls {@code listener} once the transaction of this thread has ended.
   *
   * @throws IllegalStateException if no transaction is active
   */
  void afterCompletion(Consumer<Completion> listener);

  /** How a transaction ended. */
  enum Completion {
    /** What was written is stored. */
    COMMITTED,
    /** Nothing is stored. */
    ROLLED_BACK,
    /** The commit's answer was lost. */
    UNKNOWN
  }

  /**
   * Something to do in a transaction.
   *
   * @param <T> what it returns
   */
  @FunctionalInterface
  interface Work<T> {
    /** Does it. */
    T run() throws Exception;
  }

  /** Returns the port of an application without transactions. */
  static Transactions none() {
    return NoTransactions.INSTANCE;
  }
}
