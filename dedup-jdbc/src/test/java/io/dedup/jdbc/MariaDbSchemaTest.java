// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.StoreMisconfigured;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbSchemaTest extends SchemaPromises {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  @Override
  String createSchema(String name) {
    return "CREATE DATABASE " + name;
  }

  /** Collations fold case and accents, pad with blanks, or cut. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "VARCHAR(512)",
        "VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        "VARBINARY(255)"
      })
  void aKeyThatIsNotBinaryOrTooShortIsRefused(String type) {
    JdbcSchema.of(dataSource(), table()).createIfMissing();
    sql().execute("ALTER TABLE " + table() + " MODIFY dedup_key " + type + " NOT NULL");
    assertThatThrownBy(() -> validate(table()))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("column dedup_key was ")
        .hasMessageContaining("must be varbinary of at least 512");
  }

  @Test
  void anEngineWithoutTransactionsIsRefused() {
    JdbcSchema.of(dataSource(), table()).createIfMissing();
    sql().execute("ALTER TABLE " + table() + " ENGINE = MyISAM");
    assertThatThrownBy(() -> validate(table()))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("its engine was MyISAM, must be InnoDB");
  }

  @Test
  void aCharacterSetThatCannotHoldEveryTextIsRefused() {
    JdbcSchema.of(dataSource(), table()).createIfMissing();
    sql()
        .execute(
            "ALTER TABLE " + table() + " MODIFY owner VARCHAR(128) CHARACTER SET latin1 NOT NULL");
    assertThatThrownBy(() -> validate(table()))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("character set latin1, must be utf8mb4");
  }
}
