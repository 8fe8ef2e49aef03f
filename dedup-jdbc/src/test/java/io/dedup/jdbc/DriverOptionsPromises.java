// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.SettleAnswer;
import io.dedup.testkit.server.Database;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Options that change what a driver tells of its batches, or how it sends them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DriverOptionsPromises {

  @RegisterExtension static final Pools pools = new Pools();

  private Database database;

  abstract Database newDatabase();

  abstract List<String> options();

  @BeforeAll
  void makeTable() {
    database = newDatabase();
    Pools.withTable(pools.of(database, 1));
  }

  @Test
  void eachKeyOfABatchGetsItsOwnAnswerWhateverTheDriverCounts() {
    for (String options : options()) {
      JdbcClaimStore store = JdbcClaimStore.builder(with(options)).build();
      List<ClaimRequest> five = Stream.generate(StorePromises::request).limit(5).toList();
      ClaimRequest there =
          ClaimRequest.builder(five.get(2).key(), "first", five.get(2).lease(), five.get(2).ttl())
              .build();
      StorePromises.claim(store, there);

      List<ClaimAnswer> answers = store.claim(five).claimed();

      for (int i = 0; i < 5; i++) {
        assertThat(answers.get(i))
            .as("%s, key %d", options, i)
            .isInstanceOf(i == 2 ? ClaimAnswer.InProgress.class : ClaimAnswer.Acquired.class);
      }
      var completions = StorePromises.completions(five, store.claim(five));
      assertThat(completions).hasSize(4);
      for (int time = 0; time < 2; time++) {
        assertThat(store.settle(completions).settled())
            .as(options)
            .hasOnlyElementsOfType(SettleAnswer.Applied.class);
      }
    }
  }

  private DataSource with(String options) {
    String url = database.jdbcUrl();
    String separator = url.contains("?") ? "&" : "?";
    return pools.of(
        new Database(url + separator + options, database.username(), database.password()), 2);
  }
}
