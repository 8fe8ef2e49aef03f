// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;

class H2StoreTest extends StorePromises {

  @Override
  Database newDatabase() {
    return Pools.h2();
  }
}
