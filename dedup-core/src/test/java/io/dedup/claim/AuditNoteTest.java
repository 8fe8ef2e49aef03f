// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditNoteTest {

  @Test
  void aNoteSaysWhoDidWhatAndWhy() {
    assertThat(AuditNote.resolved("ann", "seen at the bank"))
        .isEqualTo("resolved by ann: seen at the bank");
    assertThat(AuditNote.reopened("ann", "paid back")).isEqualTo("reopened by ann: paid back");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\n"})
  void nobodyAndNoReasonAreRefused(String blank) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AuditNote.resolved(blank, "why"))
        .withMessage("who: was blank, must name the operator");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AuditNote.reopened("who", blank))
        .withMessage("why: was blank, must give the reason");
  }

  @Test
  void aLongStoryIsCutToWhatStoresHaveRoomFor() {
    assertThat(AuditNote.resolved("ann", "y".repeat(1_000))).hasSize(500);
  }
}
