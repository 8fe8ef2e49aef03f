// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.idOf;
import static io.dedup.kafka.key.Sample.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.key.KeyExtractor;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyKeyTest {

  private static final KeyExtractor<ConsumerRecord<?, ?>> RAW = KeyExtractors.body(BodyForm.RAW);
  private static final KeyExtractor<ConsumerRecord<?, ?>> JSON = KeyExtractors.body(BodyForm.JSON);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"a\":1,\"b\":2};            { \"b\" : 2,\"a\":1 }",
        "{\"a\":{\"x\":[1],\"y\":0}};  {\"a\":{\"y\":0,\"x\":[1]}}",
        "{\"a\":\"\\u0041\\/\"};       {\"a\":\"A/\"}",
        "[];                           [ ]",
        "{\"\":null};                  { \"\" : null }"
      })
  void spacingEscapesAndTheOrderOfMembersDoNotMatterToJson(String one, String other) {
    assertThat(idOf(JSON, value(one))).isEqualTo(idOf(JSON, value(other.getBytes(UTF_8))));
    assertThat(idOf(RAW, value(one))).isNotEqualTo(idOf(RAW, value(other)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[1,2];                  [2,1]",
        "{\"a\":1};              {\"a\":1.0}",
        "{\"a\":1};              {\"a\":\"1\"}",
        "{\"a\":null};           {}",
        "{\"a\":\"b\"};          {\"a\":[\"b\"]}",
        "{\"a\":\"x\",\"b\":1};  {\"a\":\"x,b:1\"}",
        "[[1],2];                [[1,2]]",
        "\"\\ud800\";            \"\\ud801\"",
        "\"\\ud800\";            \"\\\\ud800\"",
        "true;                   \"true\""
      })
  void everythingElseMattersToJson(String one, String other) {
    assertThat(idOf(JSON, value(one))).isNotEqualTo(idOf(JSON, value(other)));
  }

  @Test
  void aMemberThatOccursTwiceAnywhereIsRefused() {
    assertUnreadable(JSON, value("{\"a\":[{\"b\":1,\"b\":1}]}"), "member twice");
  }

  @Test
  void whatIsNoJsonIsRefused() {
    assertUnreadable(JSON, value("no json"), "not well-formed");
  }

  @Test
  void objectsAreReadByTheirProperties() {
    assertThat(idOf(JSON, value(Map.of("b", 2, "a", 1))))
        .isEqualTo(idOf(JSON, value("{\"a\":1,\"b\":2}")));
  }

  @Test
  void bytesAndTextAreTheSameToRaw() {
    assertThat(idOf(RAW, value("é"))).isEqualTo(idOf(RAW, value("é".getBytes(UTF_8))));
  }

  @Test
  void anObjectHasNoBytes() {
    assertUnreadable(RAW, value(Map.of()), "must be byte[]");
    assertUnreadable(RAW, value("\ud800"), "unpaired surrogate");
  }

  @Test
  void aTombstoneAndAnEmptyBodyAreMissing() {
    assertMissing(RAW, value(null));
    assertMissing(JSON, value(null));
    assertMissing(RAW, value(new byte[0]));
  }

  @Test
  void theIdIsADigestWhateverTheSizeOfTheBody() {
    assertThat(idOf(RAW, value("x".repeat(1 << 20)))).matches("sha256:[0-9a-f]{64}");
  }

  @Test
  void rawWarnsOfFormatsWhoseBytesChange() {
    assertThat(KeyExtractors.cautions(RAW)).singleElement().asString().contains("Protobuf");
    assertThat(KeyExtractors.cautions(JSON)).isEmpty();
  }
}
