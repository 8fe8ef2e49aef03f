// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbStoreTest extends StorePromises {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  /**
   * A clock read in the session's time zone would be off by hours, and twice the same in autumn.
   */
  @Test
  void theTimeZoneOfASessionDoesNotMoveTheClock() {
    Instant east = storeTime("+12:00");
    Instant west = storeTime("-11:00");
    assertThat(Duration.between(east, west)).isBetween(Duration.ofHours(-1), Duration.ofHours(1));
  }

  private Instant storeTime(String zone) {
    String url = database().jdbcUrl();
    String option = "sessionVariables=time_zone='" + zone + "'";
    Database there =
        new Database(
            url + (url.contains("?") ? "&" : "?") + option,
            database().username(),
            database().password());
    return store(pools.of(there, 1)).claim(List.of(request())).storeTime();
  }
}
