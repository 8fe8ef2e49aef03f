// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Checks that every store makes of a batch before it sends it. */
public final class Batches {

  private Batches() {}

  /**
   * Checks that no key appears twice among the settlements, or among the claims.
   *
   * @throws IllegalArgumentException if one does
   */
  public static void checkDistinct(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    checkDistinct("settlements", settlements, s -> s.claim().key());
    checkDistinct("claims", claims, ClaimRequest::key);
  }

  private static <T> void checkDistinct(
      String name, List<T> requests, Function<T, IdempotencyKey> key) {
    if (requests.size() < 2) {
      return;
    }
    Set<IdempotencyKey> seen = new HashSet<>(requests.size() * 2);
    for (T request : requests) {
      if (!seen.add(key.apply(request))) {
        // The key itself stays out of the message: it may be personal.
        throw new IllegalArgumentException(
            name
                + ": has a key twice, in scope "
                + key.apply(request).scope()
                + "; must be distinct");
      }
    }
  }
}
