// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps one record for each key and changes it by the rules of {@link TransitionTable}, atomically,
 * by its own clock.
 *
 * <p><b>Contract.</b> Each request is judged and stored in one atomic step for its key; a batch is
 * not atomic as a whole. Every verb may be sent again unchanged when its answer was lost, and gives
 * the answer that was lost. Only a claim's own, newest token can settle it. Trouble is an
 * exception, and no answer: {@link StoreUnavailable} if the request may or may not have been
 * executed, {@link StoreCorrupt} if a record cannot be read (it is not overwritten), {@link
 * StoreMisconfigured} if the store cannot work as it is set up. Whatever else goes wrong is wrapped
 * in one of them. Keys are told apart byte by byte. Implementations are thread-safe, and block.
 *
 * <p>The store contract of the testkit proves each of this; a new store is one class and one
 * subclass of that test.
 */
public interface ClaimStore {

  /**
   * Settles and claims, in this order.
   *
   * <p><b>Contract.</b> The answers come in the order of the requests. The settlement of a key is
   * stored before the claim of that key is judged. A key appears at most once among the settlements
   * and at most once among the claims. With both lists empty the answer is the store's time.
   *
   * @throws IllegalArgumentException if a key appears twice in one of the lists
   * @throws StoreException if there is trouble; some of the batch may have been stored
   */
  Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims);

  /** Claims; the half of {@link #exchange}. */
  default Exchange claim(List<ClaimRequest> claims) {
    return exchange(List.of(), claims);
  }

  /** Settles; the other half. */
  default Exchange settle(List<SettleRequest> settlements) {
    return exchange(settlements, List.of());
  }

  /**
   * Hands out a key, so that claims that require it are accepted.
   *
   * <p><b>Contract.</b> An absent key becomes {@code ISSUED}; whatever is there otherwise stays as
   * it is.
   *
   * @param ttl how long the key waits to be used; above 0
   * @return whether the key is issued and unused now
   */
  boolean issue(IdempotencyKey key, Duration ttl);

  /**
   * Reads the records of many keys.
   *
   * <p><b>Contract.</b> Changes nothing. Each record is read in one atomic step; a key named twice
   * is read as one.
   *
   * @return the records by key, without those of keys that are absent or expired
   */
  Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys);

  /** Returns the record of {@code key} unless it is absent or expired; a batch of one. */
  default Optional<ClaimRecord> find(IdempotencyKey key) {
    return Optional.ofNullable(find(List.of(key)).get(key));
  }

  /**
   * Settles a key by hand whose lease is over.
   *
   * <p><b>Contract.</b> Applies only to {@code PROCESSING} with this token and a lease that is
   * over. The record gets a higher token and no claim id, so the lost claim can never settle it,
   * and keeps {@code who} and {@code why}. The same call sent twice answers {@code Fenced} the
   * second time, with the token of the first.
   *
   * @param who the operator
   * @param why the reason
   */
  SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why);

  /**
   * Lets a key run again that is done, failed or in doubt.
   *
   * <p><b>Contract.</b> Leaves a tombstone: {@code RELEASED}, with a higher token and no claim id,
   * and {@code who} and {@code why}. A live claim is not taken away, and an absent key stays
   * absent: both answer {@code Fenced}.
   *
   * @param who the operator
   * @param why the reason
   */
  SettleAnswer reopen(IdempotencyKey key, String who, String why);

  /**
   * Removes the record of {@code key}, whatever its state.
   *
   * @return whether there was one that was not expired
   */
  boolean forget(IdempotencyKey key);

  /**
   * Takes over copies of records from another store.
   *
   * <p><b>Contract.</b> See {@link TransitionTable#merge}: the higher token wins, and what is done
   * is replaced only by what is done later or reopened later.
   *
   * @return how many records were changed
   */
  int merge(Map<IdempotencyKey, ClaimRecord> records);

  /**
   * Keeps completed keys until at least {@code ttl} after their completion. Others, and longer
   * ones, stay as they are.
   *
   * @return how many records were changed
   */
  long extend(Collection<IdempotencyKey> keys, Duration ttl);

  /**
   * Does what {@link #extend(Collection, Duration)} does, to all keys of a scope. Reads the whole
   * scope, or more.
   *
   * @return how many records were changed
   */
  long extendScope(String scope, Duration ttl);

  /**
   * Removes expired records.
   *
   * <p><b>Contract.</b> Never removes one whose lease is live. A store that forgets by itself may
   * have nothing to do.
   *
   * @param limit the most to remove, above 0
   * @return how many were removed
   */
  int purgeExpired(int limit);

  /** Counts the records. Reads the whole store: for operators. */
  StoreStats stats();
}
