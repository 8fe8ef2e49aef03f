// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.TransactionConflict;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreStats;
import io.dedup.key.IdempotencyKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactional inbox: claims and settles within the application's transaction, so that a
 * handler's writes and the record of its key are committed together, or not at all. Thread-safe; a
 * transaction belongs to its thread.
 *
 * <p>{@link #exchange} needs a transaction of the store's own {@code DataSource} in this thread,
 * and refuses to work without. What it answers is true once that transaction has committed. Nothing
 * waits for a rival whose transaction is open: its key is {@code InProgress}, with no owner and a
 * short time to wait. A claim should be its transaction's first statement. Where the database ends
 * the transaction in favour of another, {@link TransactionConflict} is thrown and the transaction
 * can only be rolled back.
 *
 * <p>A claim of the store may be settled here, too: then its completion is committed with what the
 * handler wrote, and a claim that was taken over is answered {@code Fenced}, upon which the caller
 * rolls back.
 *
 * <p>A settlement comes after the handler's writes. On PostgreSQL it is what finds out that one of
 * them had failed: the server rolls such a transaction back at its commit, and the driver calls
 * that a success.
 *
 * <p>All other verbs are the store's, in transactions of its own.
 */
public final class JdbcInbox implements ClaimStore {

  /**
   * The most claims of one transaction: within the lock table of a PostgreSQL server as it comes.
   */
  public static final int CLAIMS_MAX = 500;

  private final JdbcClaimStore store;
  private final DataSource dataSource;
  private volatile boolean checked;

  private JdbcInbox(JdbcClaimStore store) {
    this.store = store;
    this.dataSource = store.transactions().dataSource();
  }

  /** Returns the inbox on the table of {@code store}. */
  public static JdbcInbox of(JdbcClaimStore store) {
    return new JdbcInbox(store);
  }

  /**
   * Settles and claims, in this order, within the transaction of this thread.
   *
   * @throws IllegalArgumentException if a key appears twice in one of the lists, or with more than
   *     {@value #CLAIMS_MAX} claims in the transaction
   * @throws StoreMisconfigured without a transaction, or with a read-only one, or with one of
   *     another {@code DataSource}
   * @throws TransactionConflict if the database ended the transaction in favour of another
   * @throws StoreException if there is other trouble; then the transaction can only be rolled back
   */
  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Requests requests = Requests.of(store.keyFormat(), settlements, claims);
    ConnectionHolder holder = transaction();
    ClaimCount.add(this, claims.size(), CLAIMS_MAX);
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return exchange(connection, requests);
    } catch (SQLException e) {
      // Whoever swallows what we throw must not commit writes without the record that belongs to
      // them.
      holder.setRollbackOnly();
      throw trouble(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private Exchange exchange(Connection connection, Requests requests) throws SQLException {
    if (connection.getAutoCommit()) {
      throw refused("it has begun no transaction on this DataSource");
    }
    ClaimTable table = store.transactions().tableOn(connection);
    if (!checked) {
      table.dialect().checkForInbox(connection);
      checked = true;
    }
    return new InboxExchange(
            table, store.transactions().tableName(), table.dialect().time(store.time()))
        .run(connection, requests);
  }

  private ConnectionHolder transaction() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw refused("there is none");
    }
    if (!(TransactionSynchronizationManager.getResource(dataSource)
        instanceof ConnectionHolder holder)) {
      throw refused(
          "it is not one of this DataSource (the very object that its manager was given)");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw refused("it is read-only");
    }
    return holder;
  }

  private StoreMisconfigured refused(String why) {
    return new StoreMisconfigured(
        "inbox on table "
            + store.transactions().tableName()
            + ": must be used within a transaction of its DataSource in this thread, but "
            + why,
        null);
  }

  private RuntimeException trouble(SQLException e) {
    SqlTrouble trouble = SqlTrouble.within(e);
    return trouble == SqlTrouble.CONFLICT || trouble == SqlTrouble.ROW_BUSY
        ? new TransactionConflict("the database ended the transaction in favour of another", e)
        : SqlTrouble.exception("inbox on table " + store.transactions().tableName(), "exchange", e);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return store.issue(key, ttl);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return store.find(keys);
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return store.resolve(key, token, resolution, who, why);
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return store.reopen(key, who, why);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return store.forget(key);
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return store.merge(records);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return store.extend(keys, ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return store.extendScope(scope, ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    return store.purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }
}
