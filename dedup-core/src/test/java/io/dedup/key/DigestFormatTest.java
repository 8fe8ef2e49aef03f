// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes themselves: a store that was filled by an older version is read by a newer one. */
class DigestFormatTest {

  private static final String SECRET = "0123456789abcdef";

  @ParameterizedTest
  @CsvSource({
    "orders, 17, 1c168adb52006e1c90dbb4f56725b8b7",
    "group\u00e4/topic, \u00e9\0/%~|, e49880da8782006d517c8811ad200b56"
  })
  void theDigestOfAKeyNeverChanges(String scope, String id, String form) {
    assertThat(KeyFormat.digest().encode(IdempotencyKey.of(scope, id))).isEqualTo(bytes(form));
    assertThat(KeyFormat.digest().scopePrefix(scope)).isEqualTo(bytes(form.substring(0, 8)));
  }

  @ParameterizedTest
  @CsvSource({
    "orders, 17, 7316b74327cc00fb43f9d84507b8cfe9",
    "group\u00e4/topic, \u00e9\0/%~|, 729293712a75dccd8d1f7bda4d5aa3e4"
  })
  void theKeyedDigestOfAKeyNeverChanges(String scope, String id, String form) {
    KeyFormat keyed = KeyFormat.hmac(SECRET.getBytes(UTF_8));

    assertThat(keyed.encode(IdempotencyKey.of(scope, id))).isEqualTo(bytes(form));
    assertThat(keyed.scopePrefix(scope)).isEqualTo(bytes(form.substring(0, 8)));
  }

  @Test
  void anotherSecretMakesOtherForms() {
    IdempotencyKey key = IdempotencyKey.of("orders", "17");
    KeyFormat other = KeyFormat.hmac("0123456789abcdeX".getBytes(UTF_8));

    assertThat(other.encode(key))
        .isNotEqualTo(KeyFormat.hmac(SECRET.getBytes(UTF_8)).encode(key))
        .isNotEqualTo(KeyFormat.digest().encode(key));
    assertThat(other.scopePrefix("orders")).isNotEqualTo(KeyFormat.digest().scopePrefix("orders"));
  }

  @Test
  void aSecretThatIsWipedAfterwardsStillCounts() {
    byte[] secret = SECRET.getBytes(UTF_8);
    KeyFormat keyed = KeyFormat.hmac(secret);
    secret[0] = 0;

    assertThat(keyed.scopePrefix("orders")).isEqualTo(bytes("7316b743"));
  }

  @Test
  void aSecretThatCouldBeGuessedIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyFormat.hmac(new byte[15]))
        .withMessage("secret: was 15 bytes, must be at least 16");
    assertThatNullPointerException().isThrownBy(() -> KeyFormat.hmac(null)).withMessage("secret");
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
