// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.5S", "PT1.5S", "PT1H1S"})
  void aQueryTimeoutIsWholeSecondsWithinAnHour(String timeout) {
    assertThatThrownBy(
            () -> JdbcClaimStore.builder(new NoDataSource()).queryTimeout(Duration.parse(timeout)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queryTimeout: was " + timeout + ", must be whole seconds from PT1S to PT1H");
  }

  @Test
  void aStoreIsMadeWhileTheDatabaseIsDownAndSaysSoWhenAsked() {
    JdbcClaimStore store = JdbcClaimStore.builder(new NoDataSource()).build();
    assertThatThrownBy(store::stats)
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("table dedup_claim: stats failed with SQLState 08001");
  }

  /** It throws an exception of its own, when it is asked for the first connection. */
  @Test
  void aPoolThatCannotBeFilledIsTroubleWithTheStore() {
    DataSource pool =
        Connections.from(
            () -> {
              throw new IllegalStateException("pool initialization failed");
            });
    assertThatThrownBy(() -> JdbcClaimStore.builder(pool).build().stats())
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("pool initialization failed");
    assertThatThrownBy(() -> JdbcSchema.of(pool).createIfMissing())
        .isInstanceOf(StoreUnavailable.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 513})
  void aKeyFormatThatBreaksItsLimitsIsRefused(int length) {
    JdbcClaimStore store =
        JdbcClaimStore.builder(new NoDataSource()).keyFormat(constant(length)).build();
    assertThatThrownBy(() -> store.find(key("a")))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessage("keyFormat: made a key of " + length + " bytes, must be 1 to 512");
  }

  @Test
  void aKeyFormatThatCannotTellKeysApartIsRefused() {
    JdbcClaimStore store =
        JdbcClaimStore.builder(new NoDataSource()).keyFormat(constant(16)).build();
    assertThatThrownBy(() -> store.claim(List.of(request("a"), request("b"))))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessage("keyFormat: gave two keys one form, must tell them apart");
  }

  private static KeyFormat constant(int length) {
    return new KeyFormat() {
      @Override
      public byte[] encode(IdempotencyKey key) {
        return new byte[length];
      }

      @Override
      public byte[] scopePrefix(String scope) {
        return new byte[0];
      }
    };
  }

  private static ClaimRequest request(String id) {
    return ClaimRequest.builder(key(id), "me", Duration.ofSeconds(1), Duration.ofSeconds(1))
        .build();
  }

  private static IdempotencyKey key(String id) {
    return IdempotencyKey.of("scope", id);
  }
}
