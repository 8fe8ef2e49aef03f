// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredResultTest {

  private static final String JSON = "application/json";

  @Test
  void resultsAreEqualByTheirBytes() {
    StoredResult result = new StoredResult(JSON, new byte[] {1, 2});

    assertThat(result)
        .isEqualTo(new StoredResult(JSON, new byte[] {1, 2}))
        .hasSameHashCodeAs(new StoredResult(JSON, new byte[] {1, 2}))
        .isNotEqualTo(new StoredResult(JSON, new byte[] {1, 3}))
        .isNotEqualTo(new StoredResult("text/plain", new byte[] {1, 2}));
  }

  @Test
  void aResultIsLoggedWithoutItsBytes() {
    assertThat(new StoredResult(JSON, new byte[] {1, 2}))
        .hasToString("StoredResult[application/json, 2 bytes]");
  }

  @Test
  void aContentTypeThatStoresHaveNoRoomForIsRefused() {
    assertThat(new StoredResult("t".repeat(128), new byte[0]).contentType()).hasSize(128);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StoredResult("t".repeat(129), new byte[0]))
        .withMessage("contentType: was 129 characters, must be at most 128");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/\u00e9", "text/plain\n", "\0", "\u007f"})
  void aContentTypeThatIsNotPrintableAsciiIsRefused(String contentType) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StoredResult(contentType, new byte[0]))
        .withMessage("contentType: must be printable ASCII");
  }

  @Test
  void noBytesAreNoResult() {
    assertThatNullPointerException()
        .isThrownBy(() -> new StoredResult(JSON, null))
        .withMessage("bytes");
  }
}
