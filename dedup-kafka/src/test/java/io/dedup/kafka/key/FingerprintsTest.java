// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.Fingerprint;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintsTest {

  private static Fingerprint of(String fingerprint, Object value) {
    return Fingerprints.parse(fingerprint).of(value(value));
  }

  @Test
  void noneDiffersFromNothing() {
    assertThat(of("none", "a")).isEqualTo(Fingerprint.none());
  }

  @Test
  void eachHasTheAlgorithmThatMadeIt() {
    assertThat(of("raw", "{}").algorithm()).isEqualTo(Fingerprint.RAW);
    assertThat(of("json", "{}").algorithm()).isEqualTo(Fingerprint.JSON);
    assertThat(of("fields:/a", "{}").algorithm()).isEqualTo(Fingerprint.FIELDS);
  }

  @Test
  void rawIsTheBytesOfBytesAndText() {
    assertThat(of("raw", "é")).isEqualTo(Fingerprint.raw("é".getBytes(UTF_8)));
    assertThat(of("raw", "é".getBytes(UTF_8))).isEqualTo(Fingerprint.raw("é".getBytes(UTF_8)));
    assertThat(of("raw", "{\"a\":1}").conflictsWith(of("raw", "{ \"a\":1}"))).isTrue();
  }

  @Test
  void jsonIsTheDocument() {
    assertThat(of("json", "{\"a\":1,\"b\":2}")).isEqualTo(of("json", "{ \"b\":2, \"a\":1}"));
    assertThat(of("json", "{\"a\":1}").conflictsWith(of("json", "{\"a\":1.0}"))).isTrue();
    assertThat(of("json", Map.of("a", 1))).isEqualTo(of("json", "{\"a\":1}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"a\":1,\"b\":2,\"c\":3}; {\"b\":2.0,\"a\":1e0};    true",
        "{\"a\":1};                 {\"a\":1,\"b\":null};     true",
        "{\"a\":1};                 {\"a\":\"1\"};            false",
        "{\"a\":true};              {\"a\":\"true\"};         false",
        "{\"a\":true};              {\"a\":false};            false",
        "{\"a\":\"\"};              {};                       false",
        "{\"a\":\"x\"};             {\"b\":\"x\"};            false",
        "{\"a\":\"x|text:y\"};      {\"a\":\"x\",\"b\":\"y\"}; false"
      })
  void fieldsAreReadAsKeysAre(String one, String other, boolean same) {
    assertThat(of("fields:/a,/b", one).equals(of("fields:/a,/b", other))).isEqualTo(same);
  }

  @Test
  void theOrderInWhichFieldsAreNamedDoesNotMatter() {
    String document = "{\"a\":1,\"b\":2}";
    assertThat(of("fields:/a,/b", document)).isEqualTo(of("fields:/b, /a", document));
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "json", "fields:/a"})
  void aTombstoneSaysSomethingElseThanAnyValue(String fingerprint) {
    Fingerprint tombstone = of(fingerprint, null);
    assertThat(tombstone).isEqualTo(of(fingerprint, null));
    assertThat(tombstone.conflictsWith(of(fingerprint, "{}"))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "json;      no json",
        "json;      {\"a\":1,\"a\":1}",
        "fields:/a; {\"a\":{}}",
        "fields:/a; {\"a\":1,\"a\":1}"
      })
  void whatCannotBeReadIsTheRecordsFault(String fingerprint, String document) {
    assertThatThrownBy(() -> of(fingerprint, document))
        .isInstanceOf(UnreadableRecordException.class);
  }

  @Test
  void rawOfAnObjectIsRefused() {
    assertThatThrownBy(() -> of("raw", Map.of()))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("must be byte[]");
  }

  @Test
  void whatIsDescribedIsWhatWasRead() {
    for (String text : new String[] {"none", "raw", "json", "fields:/a,/b/c"}) {
      assertThat(Fingerprints.parse(text).describe()).isEqualTo(text);
    }
    assertThatThrownBy(() -> Fingerprints.parse("md5"))
        .hasMessageContaining("fingerprint: was 'md5', must be none, raw, json, or fields:");
    assertThatThrownBy(Fingerprints::fields).hasMessageContaining("at least one");
    assertThatThrownBy(() -> Fingerprints.parse("fields:a")).hasMessageContaining("RFC 6901");
  }
}
