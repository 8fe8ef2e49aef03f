// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {

  private static final Fingerprint ONE = Fingerprint.raw("one".getBytes(UTF_8));
  private static final Fingerprint TWO = Fingerprint.raw("two".getBytes(UTF_8));

  @Test
  void aRawFingerprintIsTheBeginningOfTheDigest() {
    assertThat(Fingerprint.raw("payload".getBytes(UTF_8)))
        .isEqualTo(new Fingerprint(Fingerprint.RAW, 0x239f59ed55e737c7L));
    assertThat(Fingerprint.raw(new byte[0]))
        .isEqualTo(new Fingerprint(Fingerprint.RAW, 0xe3b0c44298fc1c14L));
  }

  @Test
  void whatWasMadeTheSameWayConflictsWhereItDiffers() {
    assertThat(ONE.conflictsWith(TWO)).isTrue();
    assertThat(ONE.conflictsWith(Fingerprint.raw("one".getBytes(UTF_8)))).isFalse();
    assertThat(ONE.comparableWith(TWO)).isTrue();
  }

  @Test
  void whatWasMadeOtherwiseNeverConflicts() {
    Fingerprint json = Fingerprint.sha256(Fingerprint.JSON, "two".getBytes(UTF_8));

    assertThat(json.value()).isEqualTo(TWO.value());
    assertThat(ONE.conflictsWith(json)).isFalse();
    assertThat(ONE.comparableWith(json)).isFalse();
  }

  @Test
  void noFingerprintConflictsWithNothing() {
    assertThat(Fingerprint.none().conflictsWith(ONE)).isFalse();
    assertThat(ONE.conflictsWith(Fingerprint.none())).isFalse();
    assertThat(Fingerprint.none().comparableWith(Fingerprint.none())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 256})
  void anAlgorithmThatFitsNoByteIsRefused(int algorithm) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fingerprint(algorithm, 1))
        .withMessage("algorithm: was " + algorithm + ", must be 0 to 255");
  }

  @Test
  void aValueThatNothingMadeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fingerprint(0, 1))
        .withMessage("value: was 1, must be 0 without an algorithm");
  }
}
