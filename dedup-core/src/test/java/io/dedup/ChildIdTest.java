// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.key.IdempotencyKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChildIdTest {

  /**
   * Computed by another implementation: uuid5 of Python's standard library, of the same namespace.
   */
  @ParameterizedTest
  @CsvSource({
    "payments, 4711, receipt, 7b866cd1-0f5f-5e58-ab71-2ee7a1e7af0e",
    "a|b, c, d, fa96e50d-fc68-5b15-a67e-8b359710f366"
  })
  void anIdIsWhatOthersComputeToo(String scope, String id, String name, UUID expected) {
    assertThat(ChildId.of(IdempotencyKey.of(scope, id), name)).isEqualTo(expected);
  }

  @Test
  void anIdIsAUuidOfVersionFive() {
    for (int i = 0; i < 1_000; i++) {
      UUID id = ChildId.of(World.KEY, "message " + i);
      assertThat(id.version()).isEqualTo(5);
      assertThat(id.variant()).isEqualTo(2);
    }
  }

  @Test
  void eachRunOfAHandlerHasTheSameIds() {
    try (World world = new World()) {
      Set<UUID> ids = new HashSet<>();
      Runs failing =
          Runs.doing(
              context -> {
                ids.add(context.childId("receipt"));
                throw new IllegalStateException();
              });
      world.dedup().execute(World.KEY, failing);
      world.rival().execute(World.KEY, failing);

      assertThat(failing.count()).isEqualTo(2);
      assertThat(ids).containsExactly(ChildId.of(World.KEY, "receipt"));
    }
  }

  @Test
  void otherScopesOtherKeysAndOtherNamesHaveOtherIds() {
    Set<UUID> ids = new HashSet<>();
    List<String> parts = List.of("a", "b", "a|b", "a\\|b", "|", "\\", "A", "é", "e\u0301");
    for (String scope : parts) {
      for (String id : parts) {
        for (String name : parts) {
          ids.add(ChildId.of(IdempotencyKey.of(scope, id), name));
        }
      }
    }
    assertThat(ids).hasSize(parts.size() * parts.size() * parts.size());
  }
}
