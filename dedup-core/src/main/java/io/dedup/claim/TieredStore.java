// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database that decides, and a faster store in front of it that remembers some of what is done.
 * Thread-safe.
 *
 * <p>Every answer is the database's. What this class adds is that no verb leaves the front saying
 * "done" of a key that is to run again: before {@link #reopen}, {@link #resolve}, {@link #forget},
 * a merged tombstone or a forced claim changes the database, the front gets a tombstone with a
 * higher token, and after a verb by hand another with the token that the database gave. A copy that
 * a slow process brings later has a lower token, and changes nothing.
 *
 * <p>So these need the front. While it does not answer they are refused with its exception and the
 * database stays as it is; an exception after the change says that the same call has to be sent
 * again.
 *
 * <p>The front's records must be of this database alone, and of its present timeline: a standby
 * that was promoted, or a backup that was restored, may lack what they say is done. So there is a
 * front for each identity of the database, found anew all the time.
 */
public final class TieredStore implements ClaimStore {

  private final ClaimStore database;
  private final Supplier<ClaimStore> front;

  private TieredStore(ClaimStore database, Supplier<ClaimStore> front) {
    this.database = database;
    this.front = front;
  }

  /**
   * Returns the composition with a front that belongs to the database whatever becomes of it.
   *
   * @param database decides; its verbs answer what is committed
   * @param front remembers what is done; whoever promotes a standby or restores a backup has to
   *     empty it
   */
  public static TieredStore of(ClaimStore database, ClaimStore front) {
    return new TieredStore(database, () -> front);
  }

  /**
   * Returns the composition with a front for each identity of the database. Reaches for nothing;
   * {@link #verify} does.
   *
   * @param database decides; its verbs answer what is committed
   * @param identity reads what changes when the database may have lost what was committed; asked
   *     again when an answer is older than {@link FrontOfIdentity#MAX_AGE}
   * @param frontOf makes the front of an identity: a store whose keys' names hold it
   */
  public static TieredStore of(
      ClaimStore database, Supplier<String> identity, Function<String, ClaimStore> frontOf) {
    return new TieredStore(database, new FrontOfIdentity(identity, frontOf, ProcessClock.system()));
  }

  /**
   * Checks that the database's identity can be read. Meant for the start of an application.
   *
   * @throws StoreException if it cannot; the message says what to change
   */
  public void verify() {
    front();
  }

  /** Returns the store that decides. */
  public ClaimStore database() {
    return database;
  }

  /**
   * Returns the store in front of the database as it is now.
   *
   * @throws StoreException if the database's identity has to be read, and cannot be
   */
  public ClaimStore front() {
    return front.get();
  }

  /**
   * Keeps the front from answering for these keys, until something newer is done: a tombstone
   * outvotes every copy of what the database holds now.
   *
   * @param note says who and why, for people
   * @throws StoreException if that is not known to be stored
   */
  public void withdraw(Collection<IdempotencyKey> keys, String note) {
    if (!keys.isEmpty()) {
      ClaimStore now = front();
      now.merge(tombstones(now, keys, note));
    }
  }

  private Map<IdempotencyKey, ClaimRecord> tombstones(
      ClaimStore now, Collection<IdempotencyKey> keys, String note) {
    Map<IdempotencyKey, ClaimRecord> rows = database.find(keys);
    Map<IdempotencyKey, ClaimRecord> copies = now.find(keys);
    Map<IdempotencyKey, ClaimRecord> tombstones = new HashMap<>();
    for (IdempotencyKey key : new HashSet<>(keys)) {
      ClaimRecord row = rows.get(key);
      ClaimRecord copy = copies.get(key);
      ClaimRecord base = row == null || (copy != null && copy.token() > row.token()) ? copy : row;
      if (base != null) {
        // Not shorter than any copy lasts, else that would be there again afterwards.
        Instant expires = row == null ? base.expires() : later(row.expires(), base.expires());
        tombstones.put(key, tombstone(base, base.token() + 1, expires, note));
      }
    }
    return tombstones;
  }

  private static ClaimRecord tombstone(ClaimRecord base, long token, Instant expires, String note) {
    return Records.from(base)
        .token(token)
        .byHand(note, base.updated())
        .state(State.RELEASED)
        .expires(expires)
        .build();
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    withdraw(claims.stream().filter(ClaimRequest::force).map(ClaimRequest::key).toList(), "forced");
    return database.exchange(settlements, claims);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return database.issue(key, ttl);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return database.find(keys);
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    String note = AuditNote.resolved(who, why);
    return byHand(key, note, () -> database.resolve(key, token, resolution, who, why));
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    String note = AuditNote.reopened(who, why);
    return byHand(key, note, () -> database.reopen(key, who, why));
  }

  private SettleAnswer byHand(IdempotencyKey key, String note, Supplier<SettleAnswer> verb) {
    withdraw(List.of(key), note);
    SettleAnswer answer = verb.get();
    // Something may have been done between the two: only the token that the verb gave outvotes a
    // copy of that which is still on its way.
    ClaimRecord row = database.find(List.of(key)).get(key);
    if (row != null) {
      front().merge(Map.of(key, row.isTombstone() || isDone(row) ? row : over(row, note)));
    }
    return answer;
  }

  private static ClaimRecord over(ClaimRecord row, String note) {
    return tombstone(row, row.token() + 1, row.expires(), note);
  }

  /**
   * Removes the record of {@code key} from the database. One that comes into being meanwhile may
   * stay: it came after.
   */
  @Override
  public boolean forget(IdempotencyKey key) {
    String note = "forgotten";
    Set<IdempotencyKey> keys = Set.of(key);
    ClaimStore before = front();
    ClaimRecord tombstone = tombstones(before, keys, note).get(key);
    if (tombstone == null) {
      return database.forget(key);
    }
    before.merge(Map.of(key, tombstone));
    boolean forgotten = database.forget(key);
    // What was removed may be newer than what was read, and its token is not known any more; but it
    // was not above the database's clock.
    Instant now = database.exchange(List.of(), List.of()).storeTime();
    long newest = Math.max(tombstone.token(), ChronoUnit.MICROS.between(Instant.EPOCH, now));
    front().merge(Map.of(key, tombstone(tombstone, newest, tombstone.expires(), note)));
    return forgotten;
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    Map<IdempotencyKey, ClaimRecord> tombstones = new HashMap<>(records);
    tombstones.values().removeIf(record -> !record.isTombstone());
    if (!tombstones.isEmpty()) {
      front().merge(tombstones);
    }
    return database.merge(records);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return database.extend(keys, ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return database.extendScope(scope, ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    return database.purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return database.stats();
  }

  private static boolean isDone(@Nullable ClaimRecord record) {
    return record != null && record.state() == State.SUCCEEDED;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
