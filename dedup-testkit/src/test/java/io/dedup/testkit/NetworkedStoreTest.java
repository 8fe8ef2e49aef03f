// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.server.FaultProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class NetworkedStoreTest extends ClaimStoreFaultContract {

  private static CallServer server;
  private static FaultProxy proxy;

  @BeforeAll
  static void start() {
    server = new CallServer();
    proxy = FaultProxy.before("127.0.0.1", server.port());
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  @Override
  protected FaultProxy proxy() {
    return proxy;
  }

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return createStore(time, NetworkedStore::new);
  }

  final ClaimStore createStore(StoreTime time, FaultDefects.Client client) {
    server.restart(time);
    return client.of(server, proxy.port());
  }

  @Override
  protected ClaimStore createDirectStore(StoreTime time) {
    return server.store();
  }
}
