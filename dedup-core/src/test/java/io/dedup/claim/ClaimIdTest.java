// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimIdTest {

  @Test
  void noTwoAreTheSameWhoeverAsks() {
    Set<ClaimId> ids = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 100_000).parallel().forEach(i -> ids.add(ClaimId.next()));

    assertThat(ids).hasSize(100_000).doesNotContain(ClaimId.none());
  }

  @Test
  void anIdSurvivesItsBytes() {
    ClaimId id = new ClaimId(-2, Long.MAX_VALUE);

    assertThat(id.toBytes()).hasSize(ClaimId.BYTES);
    assertThat(ClaimId.of(id.toBytes())).isEqualTo(id);
    assertThat(id).hasToString("fffffffffffffffe7fffffffffffffff");
  }

  @Test
  void otherBytesAreNoId() {
    assertThatExceptionOfType(StoreCorrupt.class)
        .isThrownBy(() -> ClaimId.of(new byte[17]))
        .withMessage("claim id: was 17 bytes, must be 16");
  }
}
