// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.Transition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets the transition table decide requests within one transaction. What changes a row is decided
 * on the locked row: lock and read all, decide, write all.
 *
 * <p>A row that is not there cannot be locked. So a record for an absent key is inserted only if
 * none has come in between, and read again: what is there then is locked, and decided upon if it is
 * not ours. Not thread-safe.
 */
final class Decisions {

  /**
   * Each round but the last lost its insert to somebody who removed the row again before we locked
   * it.
   */
  private static final int ROUNDS_MAX = 5;

  private final ClaimTable table;
  private final @Nullable Long now;
  private @Nullable Instant storeTime;

  Decisions(ClaimTable table, @Nullable Long now) {
    this.table = table;
    this.now = now;
  }

  /** Returns the answer for each key. */
  <A> Map<StoredKey, A> decide(Connection connection, SortedMap<StoredKey, Decision<A>> decisions)
      throws SQLException {
    Map<StoredKey, A> answers = new HashMap<>();
    decideOnRows(connection, decisions, answers);
    return answers;
  }

  /**
   * Returns the answer for each claim, after those of absent keys have been inserted.
   *
   * <p>Most of the others are duplicates, which change nothing. An answer that changes nothing is
   * true of the row that was read, locked or not, so only the rest is decided on locked rows.
   *
   * @param ours records that are known to have been inserted for these claims
   */
  <A> Map<StoredKey, A> decideInserted(
      Connection connection,
      SortedMap<StoredKey, Decision<A>> decisions,
      Map<StoredKey, ClaimRecord> ours)
      throws SQLException {
    Map<StoredKey, A> answers = new HashMap<>();
    SortedMap<StoredKey, Decision<A>> open = new TreeMap<>(decisions);
    ours.forEach(
        (key, record) -> {
          Decision<A> decision = Objects.requireNonNull(open.remove(key));
          answers.put(key, decideOurs(decision, record));
        });
    if (!open.isEmpty()) {
      Found found = read(connection, List.copyOf(open.keySet()), Dialect.Lock.NONE);
      open.forEach(
          (key, decision) -> {
            Transition<A> decided = decision.of(found.records().get(key), found.now());
            if (decided.record() == null) {
              answers.put(key, decided.answer());
            }
          });
      open.keySet().removeAll(answers.keySet());
    }
    decideOnRows(connection, open, answers);
    return answers;
  }

  /** A request that finds its own record gets the answer it had, as one that is sent again. */
  <A> A decideOurs(Decision<A> decision, ClaimRecord inserted) {
    storeTime = inserted.updated();
    return decision.of(inserted, inserted.updated()).answer();
  }

  private <A> void decideOnRows(
      Connection connection, SortedMap<StoredKey, Decision<A>> decisions, Map<StoredKey, A> answers)
      throws SQLException {
    if (decisions.isEmpty()) {
      return;
    }
    Map<StoredKey, Tentative<A>> inserted = new HashMap<>();
    SortedMap<StoredKey, Decision<A>> open = decisions;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      Found found = read(connection, List.copyOf(open.keySet()), Dialect.Lock.WAIT);
      List<Change> updates = new ArrayList<>();
      SortedMap<StoredKey, Decision<A>> absent = new TreeMap<>();
      for (Map.Entry<StoredKey, Decision<A>> entry : open.entrySet()) {
        StoredKey key = entry.getKey();
        ClaimRecord record = found.records().get(key);
        Tentative<A> ours = inserted.get(key);
        if (ours != null && record != null && ours.change().isIn(record)) {
          answers.put(key, ours.answer());
          continue;
        }
        Transition<A> decided = entry.getValue().of(record, found.now());
        if (decided.record() == null) {
          answers.put(key, decided.answer());
        } else if (record != null) {
          updates.add(new Change(key, record, decided.record()));
          answers.put(key, decided.answer());
        } else {
          Change insert = new Change(key, null, decided.record());
          inserted.put(key, new Tentative<>(insert, decided.answer()));
          absent.put(key, entry.getValue());
        }
      }
      table.update(connection, updates);
      if (absent.isEmpty()) {
        return;
      }
      table.insert(
          connection,
          absent.keySet().stream()
              .map(key -> Objects.requireNonNull(inserted.get(key)).change())
              .toList());
      open = absent;
    }
    throw new StoreUnavailable(
        table.quotedName() + ": a row came and went " + ROUNDS_MAX + " times", null);
  }

  /** Reads rows, and notes the time. */
  Found read(Connection connection, List<StoredKey> keys, Dialect.Lock lock) throws SQLException {
    Found found = table.read(connection, keys, now, lock);
    storeTime = found.now();
    return found;
  }

  /** Returns the store's time when the last request was decided. */
  Instant storeTime(Connection connection) throws SQLException {
    return storeTime != null ? storeTime : Micros.instant(table.now(connection, now));
  }

  /** An answer that is true once the record is known to be in. */
  private record Tentative<A>(Change change, A answer) {}
}
