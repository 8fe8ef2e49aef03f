// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.Batches;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.TransitionTable;
import io.dedup.key.KeyFormat;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The requests of one exchange with the stored forms of their keys.
 *
 * @param settlements in the caller's order
 * @param settledKeys their keys
 * @param claims in the caller's order
 */
record Requests(
    List<SettleRequest> settlements, List<StoredKey> settledKeys, List<NewClaim> claims) {

  /**
   * Checks the batch and encodes its keys.
   *
   * @throws IllegalArgumentException if a key appears twice in one of the lists
   * @throws StoreMisconfigured if the format gives two keys one form
   */
  static Requests of(KeyFormat format, List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Batches.checkDistinct(settlements, claims);
    List<StoredKey> settledKeys =
        settlements.stream().map(s -> StoredKey.of(format, s.claim().key())).toList();
    List<NewClaim> newClaims =
        claims.stream().map(c -> new NewClaim(StoredKey.of(format, c.key()), c)).toList();
    checkDistinct(settledKeys);
    checkDistinct(newClaims.stream().map(NewClaim::key).toList());
    return new Requests(settlements, settledKeys, newClaims);
  }

  /** Returns the claims in the order of their keys. */
  List<NewClaim> sortedClaims() {
    return claims.stream().sorted(Comparator.comparing(NewClaim::key)).toList();
  }

  /** Returns those of the claims that may insert a record. */
  static List<NewClaim> insertable(List<NewClaim> claims) {
    return claims.stream().filter(claim -> !claim.request().requireIssued()).toList();
  }

  /** Returns how each settlement is decided. */
  SortedMap<StoredKey, Decision<SettleAnswer>> settlements(TransitionTable rules) {
    SortedMap<StoredKey, Decision<SettleAnswer>> decisions = new TreeMap<>();
    for (int i = 0; i < settlements.size(); i++) {
      SettleRequest request = settlements.get(i);
      decisions.put(settledKeys.get(i), (found, now) -> rules.settle(found, request, now));
    }
    return decisions;
  }

  /** Returns how each claim is decided. */
  SortedMap<StoredKey, Decision<ClaimAnswer>> claims(TransitionTable rules) {
    SortedMap<StoredKey, Decision<ClaimAnswer>> decisions = new TreeMap<>();
    for (NewClaim claim : claims) {
      decisions.put(claim.key(), claim.decision(rules));
    }
    return decisions;
  }

  /** Returns the answers in the order of the requests. */
  Exchange exchange(
      Instant storeTime,
      Map<StoredKey, SettleAnswer> settled,
      Map<StoredKey, ClaimAnswer> claimed) {
    return new Exchange(
        storeTime,
        settledKeys.stream().map(settled::get).toList(),
        claims.stream().map(claim -> claimed.get(claim.key())).toList());
  }

  private static void checkDistinct(List<StoredKey> keys) {
    if (new HashSet<>(keys).size() != keys.size()) {
      throw new StoreMisconfigured("keyFormat: gave two keys one form, must tell them apart", null);
    }
  }
}
