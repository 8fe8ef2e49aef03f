// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientKeyTest {

  private static final ClientKeyLimits LIMITS = new ClientKeyLimits(1, 255, ClientKeyFormat.ANY);

  private static ClientKey read(String... lines) {
    return ClientKey.of(List.of(lines), LIMITS);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "abc|abc",
        "  abc  |abc",
        "\"abc\"|abc",
        "\"abc\";p=1;q=\"x\"|abc",
        "\"a\\\"b\\\\c\"|a\"b\\c",
        "\"a,b\"|a,b",
        "a-b_c.d:e/f+g=|a-b_c.d:e/f+g=",
      })
  void one_notation_for_what_is_the_same(String line, String key) {
    assertThat(read(line)).isEqualTo(new ClientKey.Valid(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\"\"",
        "\"abc",
        "\"abc\\",
        "\"abc\\d\"",
        "\"a\", \"b\"",
        "\"a\" x",
        "\"a\";p, \"b\"",
        "a,b",
        "a b",
        "\"a b\"",
        "grün",
        "\"\u0001\"",
        "\"\u007f\""
      })
  void what_is_none(String line) {
    assertThat(read(line)).isInstanceOf(ClientKey.Invalid.class);
  }

  @Test
  void no_line_is_no_key_and_two_are_none_either() {
    assertThat(read()).isEqualTo(new ClientKey.Absent());
    assertThat(read("abc", "abc")).isInstanceOf(ClientKey.Invalid.class);
  }

  @Test
  void the_length_counts_without_quotes() {
    ClientKeyLimits limits = new ClientKeyLimits(3, 4, ClientKeyFormat.ANY);

    assertThat(ClientKey.of(List.of("ab"), limits)).isInstanceOf(ClientKey.Invalid.class);
    assertThat(ClientKey.of(List.of("\"ab\""), limits)).isInstanceOf(ClientKey.Invalid.class);
    assertThat(ClientKey.of(List.of("\"abcd\""), limits)).isEqualTo(new ClientKey.Valid("abcd"));
    assertThat(ClientKey.of(List.of("abcde"), limits)).isInstanceOf(ClientKey.Invalid.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1-2-3-4-5", "f47ac10b58cc4372a5670e02b2c3d479", "not-a-uuid-at-all"})
  void what_is_no_uuid(String text) {
    ClientKeyLimits limits = new ClientKeyLimits(1, 255, ClientKeyFormat.UUID);

    assertThat(ClientKey.of(List.of(text), limits)).isInstanceOf(ClientKey.Invalid.class);
  }
}
