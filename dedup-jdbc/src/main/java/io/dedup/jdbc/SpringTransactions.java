// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.CommitIndeterminate;
import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.HeuristicCompletionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The application's transactions, as its {@link PlatformTransactionManager} begins and ends them.
 * Thread-safe.
 *
 * <p>For {@link JdbcInbox} it must be the manager of the same {@code DataSource}: {@code
 * JdbcTransactionManager}, or that of JPA where it shows its connection. Savepoints need a manager
 * that has nested transactions.
 */
public final class SpringTransactions implements Transactions {

  private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

  private final PlatformTransactionManager manager;
  private final TransactionDefinition newTransaction;

  private SpringTransactions(PlatformTransactionManager manager, TransactionDefinition settings) {
    this.manager = manager;
    this.newTransaction = with(settings, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  /** Returns the port to {@code manager}, whose transactions have its default settings. */
  public static SpringTransactions of(PlatformTransactionManager manager) {
    return new SpringTransactions(manager, TransactionDefinition.withDefaults());
  }

  /**
   * Returns the port to {@code manager}.
   *
   * @param settings isolation, time-out and name of the transactions; they are always new ones
   */
  public static SpringTransactions of(
      PlatformTransactionManager manager, TransactionDefinition settings) {
    return new SpringTransactions(manager, settings);
  }

  @Override
  public <T> T inTransaction(Work<T> work) throws Exception {
    TransactionStatus status = manager.getTransaction(newTransaction);
    Ending ending = new Ending();
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(ending);
    }
    T result = run(work, status);
    try {
      manager.commit(status);
    } catch (RuntimeException e) {
      if (!ending.isCommitted()) {
        throw commitFailed(e);
      }
      log.warn("a listener failed after its transaction had been committed", e);
    }
    return result;
  }

  @Override
  public <T> T inSavepoint(Work<T> work) throws Exception {
    requireActive();
    TransactionStatus status =
        manager.getTransaction(
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
    T result = run(work, status);
    manager.commit(status);
    return result;
  }

  @Override
  public boolean isJoinable() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      return false;
    }
    // The one that is active may be another manager's; only this one knows.
    TransactionStatus status =
        manager.getTransaction(participating(TransactionDefinition.PROPAGATION_SUPPORTS));
    boolean there = status.hasTransaction();
    manager.commit(status);
    return there;
  }

  @Override
  public <T> T joined(Work<T> work) throws Exception {
    requireActive();
    TransactionStatus status =
        manager.getTransaction(participating(TransactionDefinition.PROPAGATION_MANDATORY));
    T result = run(work, status);
    manager.commit(status);
    return result;
  }

  @Override
  public boolean isActive() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }

  @Override
  public void afterCompletion(Consumer<Completion> listener) {
    requireActive();
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCompletion(int status) {
            listener.accept(
                switch (status) {
                  case STATUS_COMMITTED -> Completion.COMMITTED;
                  case STATUS_ROLLED_BACK -> Completion.ROLLED_BACK;
                  default -> Completion.UNKNOWN;
                });
          }
        });
  }

  private <T> T run(Work<T> work, TransactionStatus status) throws Exception {
    try {
      return work.run();
    } catch (Exception e) {
      rollBack(status, e);
      throw workFailed(e);
    } catch (Error e) {
      rollBack(status, e);
      throw e;
    }
  }

  /** A rollback that fails leaves nothing stored either: the commit was never sent. */
  private void rollBack(TransactionStatus status, Throwable why) {
    try {
      manager.rollback(status);
    } catch (RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  private static void requireActive() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("no transaction is active in this thread");
    }
  }

  private static Exception workFailed(Exception e) {
    if (e instanceof TransactionConflict || !isConflict(SqlTrouble.within(e))) {
      return e;
    }
    return new TransactionConflict("the database ended the transaction in favour of another", e);
  }

  /**
   * A server that answers a commit with an error has rolled back. No answer is none: the commit may
   * have been done before the connection broke, or the server was stopped.
   */
  private static RuntimeException commitFailed(RuntimeException e) {
    SqlTrouble trouble = SqlTrouble.within(e);
    if (isConflict(trouble)) {
      return new TransactionConflict("the database ended the transaction at its commit", e);
    }
    boolean unanswered =
        trouble == SqlTrouble.CONNECTION
            || e instanceof HeuristicCompletionException
            || (trouble == null && e instanceof TransactionSystemException);
    return unanswered
        ? new CommitIndeterminate(
            "the commit's answer was lost: what was written may be stored or not", e)
        : e;
  }

  /** A wait for a row that was given up, too: it is no failure of the work that waited. */
  private static boolean isConflict(@Nullable SqlTrouble trouble) {
    return trouble == SqlTrouble.CONFLICT || trouble == SqlTrouble.ROW_BUSY;
  }

  private static TransactionDefinition participating(int propagation) {
    return new DefaultTransactionDefinition(propagation);
  }

  private static TransactionDefinition with(TransactionDefinition settings, int propagation) {
    DefaultTransactionDefinition definition = new DefaultTransactionDefinition(settings);
    definition.setPropagationBehavior(propagation);
    definition.setReadOnly(false);
    return definition;
  }

  /**
   * Learns how a transaction ended: what is thrown by a commit may come from a listener after it.
   */
  private static final class Ending implements TransactionSynchronization {
    private int status = STATUS_UNKNOWN;

    @Override
    public void afterCompletion(int completion) {
      status = completion;
    }

    boolean isCommitted() {
      return status == STATUS_COMMITTED;
    }
  }
}
