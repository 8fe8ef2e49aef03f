// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class ExtractedIdTest {

  @Test
  void eachAnswerHasItsCase() {
    assertThat(told(new ExtractedId.Found("17"))).isEqualTo("found 17");
    assertThat(told(new ExtractedId.Missing("header:id"))).isEqualTo("missing header:id");
    assertThat(told(new ExtractedId.Unreadable("value", "no JSON")))
        .isEqualTo("unreadable value, no JSON");
  }

  @Test
  void anEmptyIdIsNotFound() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExtractedId.Found(""))
        .withMessage("id: was empty, must have at least one character");
    assertThatNullPointerException()
        .isThrownBy(() -> new ExtractedId.Found(null))
        .withMessage("id");
  }

  private static String told(ExtractedId id) {
    return id.fold(
        found -> "found " + found.id(),
        missing -> "missing " + missing.where(),
        unreadable -> "unreadable " + unreadable.where() + ", " + unreadable.why());
  }
}
