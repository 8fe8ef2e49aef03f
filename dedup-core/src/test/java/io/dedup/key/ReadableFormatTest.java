// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableFormatTest {

  private static final KeyFormat FORMAT = KeyFormat.readable();

  @ParameterizedTest
  @CsvSource({
    "orders, 17, orders/17",
    "group:topic, a|b c, group:topic/a|b c",
    "a/b~c, 50%\0\u00e9, a%2Fb%7Ec/50%25%00\u00e9",
    "a, b/c, a/b%2Fc",
    "a, '\u007f\u001f', a/%7F%1F"
  })
  void aShortKeyIsReadAsItIs(String scope, String id, String form) {
    assertThat(new String(FORMAT.encode(IdempotencyKey.of(scope, id)), UTF_8)).isEqualTo(form);
  }

  @Test
  void aKeyThatJustFitsStaysWhole() {
    byte[] form = FORMAT.encode(IdempotencyKey.of("orders", "x".repeat(505)));

    assertThat(form).hasSize(512).doesNotContain('~');
  }

  @Test
  void aLongerKeyKeepsItsBeginningAndEndsInItsDigest() throws Exception {
    String form = text(FORMAT.encode(IdempotencyKey.of("orders", "x".repeat(506))));

    String whole = "orders/" + "x".repeat(506);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(whole.getBytes(UTF_8));
    assertThat(form)
        .isEqualTo(whole.substring(0, 447) + "~" + HexFormat.of().formatHex(digest))
        .hasSize(512);
  }

  @Test
  void theFormOfALongScopeAndIdNeverChanges() throws Exception {
    byte[] form = FORMAT.encode(IdempotencyKey.of("s".repeat(300), "x".repeat(600)));

    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(form)))
        .isEqualTo("106a5652116509c6c8e509e74ab42cee7eff192c55b18a92a36e17f165235251");
  }

  @Test
  void aLongScopeLeavesRoomForTheId() {
    String scope = "s".repeat(10_000);

    assertThat(FORMAT.scopePrefix(scope)).hasSize(256);
    assertThat(FORMAT.scopePrefix("s".repeat(255))).hasSize(256).doesNotContain('~');
    assertThat(text(FORMAT.encode(IdempotencyKey.of(scope, "17")))).endsWith("/17");
  }

  @Test
  void noKeyCanBeMadeToLookLikeAShortenedOne() {
    String shortened = text(FORMAT.encode(IdempotencyKey.of("orders", "x".repeat(600))));
    String id = shortened.substring("orders/".length());

    String forged = text(FORMAT.encode(IdempotencyKey.of("orders", id)));

    assertThat(forged).isNotEqualTo(shortened);
  }

  @Test
  void noScopesBeginningIsThatOfAnother() {
    assertThat(text(FORMAT.encode(IdempotencyKey.of("a/b", "c"))))
        .doesNotStartWith(text(FORMAT.scopePrefix("a")));
  }

  private static String text(byte[] form) {
    return new String(form, ISO_8859_1);
  }
}
