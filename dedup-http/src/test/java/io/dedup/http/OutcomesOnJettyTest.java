// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;

class OutcomesOnJettyTest extends OutcomesContract {

  @Override
  ClaimStore store() {
    return InMemoryClaimStore.create(time, 10_000);
  }

  @Override
  WebServer.Starter server() {
    return JettyServer::start;
  }
}
