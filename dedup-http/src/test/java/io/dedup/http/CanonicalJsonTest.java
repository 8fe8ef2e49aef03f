// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  private static String canonical(String json, String... ignored) {
    byte[] bytes = CanonicalJson.of(json.getBytes(StandardCharsets.UTF_8), Set.of(ignored));
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{\"b\":1, \"a\": [ 2 ,3 ]}|{\"a\":[2,3],\"b\":1}",
        "{\"a\":{\"d\":null,\"c\":true}}|{\"a\":{\"c\":true,\"d\":null}}",
        "1.0|1.0",
        "1e2|1e2",
        "9007199254740993|9007199254740993",
        "0.10000000000000000000000000001|0.10000000000000000000000000001",
        "\"\\u0041\\/\"|\"A/\"",
        "[]|[]",
        "{}|{}",
        "\"x\"|\"x\"",
      })
  void has_one_form(String json, String expected) {
    assertThat(canonical(json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{\"a\":1,\"a\":1}", "{} {}", "[1,]", "{a:1}", "NaN"})
  void has_none_if_it_is_not_one_well_formed_document(String json) {
    assertThat(canonical(json)).isNull();
  }

  @Test
  void leaves_out_what_is_ignored() {
    assertThat(
            canonical("{\"a\":{\"b\":1,\"c\":2},\"d/e\":3,\"f\":[1,2]}", "/a/b", "/d~1e", "/f/0"))
        .isEqualTo("{\"a\":{\"c\":2},\"f\":[2]}");
  }

  @Test
  void has_none_if_it_is_nested_too_deep() {
    assertThat(canonical("[".repeat(400) + "]".repeat(400))).isNotNull();
    assertThat(canonical("[".repeat(100_000) + "]".repeat(100_000))).isNull();
  }
}
