// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.awaitility.Awaitility.await;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import java.time.Duration;
import java.util.List;

/** Waits for what the server's own clock brings. */
final class Until {

  private Until() {}

  /** Claims until the key is ours: its lease has to end first. */
  static ClaimAnswer.Acquired acquired(ClaimStore store, ClaimRequest request) {
    return (ClaimAnswer.Acquired)
        await()
            .atMost(Duration.ofSeconds(10))
            .until(
                () -> store.claim(List.of(request)).claimed().get(0),
                ClaimAnswer.Acquired.class::isInstance);
  }
}
