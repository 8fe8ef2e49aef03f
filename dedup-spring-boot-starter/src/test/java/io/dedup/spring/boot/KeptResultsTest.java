// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.ResultStore;
import io.dedup.ResultUnavailable;
import io.dedup.claim.StoreCorrupt;
import io.dedup.jdbc.JdbcResultStore;
import io.dedup.spring.bean.CallMode;
import io.dedup.spring.bean.Idempotent;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** Answers that are too large for the record of their key. */
class KeptResultsTest {

  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  static class Reports {
    int runs;

    @Idempotent(key = "#name")
    String leased(String name) {
      return name.repeat(100) + ++runs;
    }

    @Idempotent(key = "#name", mode = CallMode.TRANSACTIONAL)
    public byte[] transactional(String name) {
      return new byte[100 + ++runs];
    }
  }

  @Test
  void aLargeAnswerIsKeptInATableOfItsOwnAndReplayed() {
    onPostgres("dedup.results.store=jdbc", "dedup.results.schema=create")
        .run(
            context -> {
              assertThat(context).hasSingleBean(JdbcResultStore.class);
              Reports reports = context.getBean(Reports.class);
              String first = reports.leased("n");
              assertThat(reports.leased("n")).isEqualTo(first);
              assertThat(reports.transactional("n")).hasSize(102);
              assertThat(reports.transactional("n")).hasSize(102);
              assertThat(
                      new JdbcTemplate(context.getBean(DataSource.class))
                          .queryForObject("SELECT count(*) FROM dedup_result", Long.class))
                  .isEqualTo(2);
            });
  }

  @Test
  void withoutAStoreThePolicySaysWhatADuplicateGets() {
    onPostgres()
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(ResultStore.class);
              Reports reports = context.getBean(Reports.class);
              reports.leased("n");
              assertThatThrownBy(() -> reports.leased("n"))
                  .isInstanceOf(StoreCorrupt.class)
                  .hasRootCauseInstanceOf(ResultUnavailable.class)
                  .rootCause()
                  .hasMessageContaining("too large to be kept");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dedup.results.limit-bytes=-1|dedup.results.limit-bytes: was -1, must not be negative",
        "dedup.results.max-bytes=0|dedup.results.max-bytes: was 0, must be 1 to",
        "dedup.results.table=a b|dedup.results.table: was",
        "dedup.results.query-timeout=1ms|dedup.results.query-timeout: was PT0.001S",
        "dedup.results.purge.batch-size=0|dedup.results.purge.batch-size: was 0",
      })
  void whatCannotBeStopsTheStartAndIsNamed(String property, String message) {
    onPostgres("dedup.results.store=jdbc", "dedup.results.schema=create", property)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .satisfiesAnyOf(
                        e -> assertThat(e).hasMessageContaining(message),
                        e ->
                            assertThat(context.getStartupFailure())
                                .hasStackTraceContaining(message)));
  }

  @Test
  void aMissingTableStopsTheStart() {
    onPostgres("dedup.results.store=jdbc")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("table dedup_result: was not found"));
  }

  @Test
  void aStoreOfResultsWithoutADatabaseStopsTheStart() {
    Applications.inMemory()
        .withPropertyValues("dedup.results.store=jdbc")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(ConfigurationRefused.class)
                    .hasMessageStartingWith("dedup.results.store: was jdbc, must be one"));
  }

  private static ApplicationContextRunner onPostgres(String... properties) {
    return Applications.withDatabase(POSTGRES.get().createDatabase())
        .withBean(Reports.class)
        .withPropertyValues("dedup.jdbc.schema=create", "dedup.results.limit-bytes=64")
        .withPropertyValues(properties);
  }
}
