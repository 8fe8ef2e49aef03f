// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Exchange;
import io.dedup.claim.Origin;
import io.dedup.claim.Transition;
import io.dedup.claim.TransitionTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One exchange within the application's transaction. Not thread-safe.
 *
 * <p>A rival's transaction may stay open for as long as its session lives, so nothing here waits
 * for one: a key that an open transaction claims, and a row that one has locked, are busy. A key
 * that was just inserted unless it was there, and whose row is not found then among those that
 * nobody has locked, is such a one.
 */
final class InboxExchange {

  /**
   * How long to wait before asking again for a key that an open transaction has; how long that will
   * last nobody knows.
   */
  static final Duration RIVAL_WAIT = Duration.ofMillis(100);

  private final TransitionTable rules = TransitionTable.rules();
  private final ClaimTable table;
  private final TableName name;
  private final @Nullable Long now;
  private final Decisions decisions;
  private final Map<StoredKey, ClaimAnswer> claimed = new HashMap<>();

  InboxExchange(ClaimTable table, TableName name, @Nullable Long now) {
    this.table = table;
    this.name = name;
    this.now = now;
    this.decisions = new Decisions(table, now);
  }

  Exchange run(Connection connection, Requests requests) throws SQLException {
    var settled = decisions.decide(connection, requests.settlements(rules));
    claim(connection, requests.sortedClaims());
    return requests.exchange(decisions.storeTime(connection), settled, claimed);
  }

  private void claim(Connection connection, List<NewClaim> claims) throws SQLException {
    if (claims.isEmpty()) {
      return;
    }
    Dialect dialect = table.dialect();
    List<StoredKey> keys = claims.stream().map(NewClaim::key).toList();
    Set<StoredKey> entered = dialect.enter(connection, name, keys);
    keys.forEach(key -> claimed.put(key, busy()));
    claimFree(connection, claims.stream().filter(claim -> entered.contains(claim.key())).toList());
  }

  /** Where one of many is busy, the statement was undone for all: then they go one by one. */
  private void claimFree(Connection connection, List<NewClaim> claims) throws SQLException {
    if (claims.isEmpty() || claimed(connection, claims) || claims.size() == 1) {
      return;
    }
    for (NewClaim claim : claims) {
      claimed(connection, List.of(claim));
    }
  }

  /** Returns false if a rival was in the way, and nothing was done. */
  private boolean claimed(Connection connection, List<NewClaim> claims) throws SQLException {
    List<NewClaim> inserts = Requests.insertable(claims);
    Map<StoredKey, ClaimRecord> ours = new HashMap<>();
    try {
      if (!inserts.isEmpty()) {
        Dialect dialect = table.dialect();
        dialect.withoutWaiting(
            connection, same -> ours.putAll(table.insertAbsent(same, inserts, now)));
      }
    } catch (SQLException e) {
      SqlTrouble trouble = SqlTrouble.of(e);
      boolean rival = trouble == SqlTrouble.ROW_BUSY || trouble == SqlTrouble.DUPLICATE;
      if (rival && table.dialect().survivesErrors()) {
        return false;
      }
      throw e;
    }
    List<NewClaim> others = new ArrayList<>();
    for (NewClaim claim : claims) {
      ClaimRecord inserted = ours.get(claim.key());
      if (inserted == null) {
        others.add(claim);
      } else {
        claimed.put(claim.key(), decisions.decideOurs(claim.decision(rules), inserted));
      }
    }
    if (!others.isEmpty()) {
      judge(connection, others);
    }
    return true;
  }

  private void judge(Connection connection, List<NewClaim> claims) throws SQLException {
    List<StoredKey> keys = claims.stream().map(NewClaim::key).toList();
    Found found = decisions.read(connection, keys, Dialect.Lock.SKIP);
    List<Change> updates = new ArrayList<>();
    for (NewClaim claim : claims) {
      ClaimRecord record = found.records().get(claim.key());
      Transition<ClaimAnswer> decided = claim.decision(rules).of(record, found.now());
      if (record != null) {
        claimed.put(claim.key(), decided.answer());
        if (decided.record() != null) {
          updates.add(new Change(claim.key(), record, decided.record()));
        }
      } else if (decided.record() == null && !table.exists(connection, claim.key())) {
        // Not issued, or asked too late: there is nothing to be had. Else somebody has the row.
        claimed.put(claim.key(), decided.answer());
      }
    }
    table.update(connection, updates);
  }

  private static ClaimAnswer busy() {
    return new ClaimAnswer.InProgress("", RIVAL_WAIT, Origin.none());
  }
}
