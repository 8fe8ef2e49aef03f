// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static io.dedup.spring.boot.StoreKind.JDBC;
import static io.dedup.spring.boot.StoreKind.MEMORY;
import static io.dedup.spring.boot.StoreKind.REDIS;
import static io.dedup.spring.boot.StoreKind.TIERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import org.junit.jupiter.api.Test;

class StoreChoiceTest {

  @Test
  void theOnlyStoreThereIsNeedsNotBeNamed() {
    assertThat(StoreChoice.choose(null, Set.of(REDIS))).isEqualTo(REDIS);
    assertThat(StoreChoice.choose(null, Set.of(JDBC))).isEqualTo(JDBC);
  }

  @Test
  void ofTwoStoresOneMustBeNamed() {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> StoreChoice.choose(null, Set.of(REDIS, JDBC)))
        .withMessage(
            "dedup.store: was not set, must be redis, jdbc or tiered: the application has both a"
                + " RedisConnectionFactory and a DataSource.")
        .satisfies(e -> assertThat(e.action()).contains("dedup.store=redis"));
  }

  @Test
  void withoutAnyStoreItIsSaidWhatToAdd() {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> StoreChoice.choose(null, Set.of()))
        .withMessageStartingWith("dedup.store: was not set, and the application has no")
        .satisfies(
            e ->
                assertThat(e.action())
                    .contains("spring-boot-starter-data-redis", "spring-boot-starter-jdbc")
                    .contains("dedup.store=memory"));
  }

  @Test
  void memoryIsUsedOnlyIfAskedFor() {
    assertThat(StoreChoice.choose(MEMORY, Set.of(REDIS, JDBC))).isEqualTo(MEMORY);
    assertThat(StoreChoice.choose(MEMORY, Set.of())).isEqualTo(MEMORY);
  }

  @Test
  void aStoreThatCannotBeConnectedToIsRefused() {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> StoreChoice.choose(REDIS, Set.of(JDBC)))
        .withMessage(
            "dedup.store: was redis, must be one that the application can connect to: it has not a"
                + " RedisConnectionFactory.")
        .satisfies(e -> assertThat(e.action()).contains("spring-boot-starter-data-redis"));
  }

  @Test
  void tieredNeedsBoth() {
    assertThat(StoreChoice.choose(TIERED, Set.of(REDIS, JDBC))).isEqualTo(TIERED);
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> StoreChoice.choose(TIERED, Set.of(REDIS)))
        .withMessageContaining("it has not a DataSource.");
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> StoreChoice.choose(TIERED, Set.of()))
        .withMessageContaining("it has not a RedisConnectionFactory and a DataSource.");
  }
}
