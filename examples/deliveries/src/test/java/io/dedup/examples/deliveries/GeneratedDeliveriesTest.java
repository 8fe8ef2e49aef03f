// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratedDeliveriesTest {

  private static List<String> ids(long seed) {
    List<String> ids = new ArrayList<>();
    new GeneratedDeliveries(10_000, 0.3, seed).forEach(delivery -> ids.add(delivery.id()));
    return ids;
  }

  @Test
  void theSameSeedMakesTheSameDeliveriesAndAnotherOneOthers() {
    assertThat(ids(1)).isEqualTo(ids(1)).isNotEqualTo(ids(2));
  }

  @Test
  void theShareOfDuplicatesIsAboutWhatWasAskedFor() {
    Set<String> distinct = new HashSet<>(ids(1));
    assertThat(distinct.size()).isBetween(6_800, 7_200);
  }
}
