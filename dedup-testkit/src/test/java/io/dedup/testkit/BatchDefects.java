// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Defects of batches: their order, their size, their copies. */
final class BatchDefects {

  private BatchDefects() {}

  static List<Defect> all() {
    return List.of(
        exchange(
            "answers claims in the order of their keys",
            (sound, settlements, claims) -> {
              List<ClaimRequest> sorted = new ArrayList<>(claims);
              sorted.sort(Comparator.comparing((ClaimRequest r) -> r.key().id()).reversed());
              return sound.exchange(settlements, sorted);
            }),
        exchange(
            "answers settlements backwards",
            (sound, settlements, claims) -> {
              Exchange answers = sound.exchange(settlements, claims);
              List<SettleAnswer> backwards = new ArrayList<>(answers.settled());
              Collections.reverse(backwards);
              return new Exchange(answers.storeTime(), backwards, answers.claimed());
            }),
        exchange(
            "claims before it settles",
            (sound, settlements, claims) -> {
              Exchange claimed = sound.claim(claims);
              Exchange settled = sound.settle(settlements);
              return new Exchange(settled.storeTime(), settled.settled(), claimed.claimed());
            }),
        exchange(
            "does not notice a key twice",
            (sound, settlements, claims) -> {
              List<ClaimAnswer> claimed = new ArrayList<>();
              List<SettleAnswer> settled = new ArrayList<>();
              settlements.forEach(s -> settled.addAll(sound.settle(List.of(s)).settled()));
              claims.forEach(c -> claimed.addAll(sound.claim(List.of(c)).claimed()));
              return new Exchange(sound.claim(List.of()).storeTime(), settled, claimed);
            }),
        exchange(
            "notices a key twice when it is too late",
            (sound, settlements, claims) -> {
              Set<IdempotencyKey> seen = new HashSet<>();
              List<ClaimAnswer> claimed = new ArrayList<>();
              Exchange settled = sound.settle(settlements);
              for (ClaimRequest claim : claims) {
                if (!seen.add(claim.key())) {
                  throw new IllegalArgumentException("twice");
                }
                claimed.addAll(sound.claim(List.of(claim)).claimed());
              }
              return new Exchange(settled.storeTime(), settled.settled(), claimed);
            }),
        exchange(
            "refuses batches above a hundred",
            (sound, settlements, claims) -> {
              if (claims.size() > 100) {
                throw new StoreUnavailable("too many parameters", null);
              }
              return sound.exchange(settlements, claims);
            }),
        exchange(
            "stops at the first settlement that is fenced",
            (sound, settlements, claims) -> {
              List<SettleAnswer> settled = new ArrayList<>();
              boolean stopped = false;
              for (SettleRequest request : settlements) {
                SettleAnswer answer =
                    stopped
                        ? new SettleAnswer.Applied()
                        : sound.settle(List.of(request)).settled().get(0);
                stopped |= answer instanceof SettleAnswer.Fenced;
                settled.add(answer);
              }
              Exchange claimed = sound.claim(claims);
              return new Exchange(claimed.storeTime(), settled, claimed.claimed());
            }));
  }

  private static Defect exchange(String says, Exchanging exchanging) {
    return new Defect(
        says,
        "Batches",
        time ->
            new AlteredStore(time) {
              @Override
              public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                return exchanging.exchange(sound, s, c);
              }
            });
  }

  private interface Exchanging {
    Exchange exchange(ClaimStore sound, List<SettleRequest> settlements, List<ClaimRequest> claims);
  }
}
