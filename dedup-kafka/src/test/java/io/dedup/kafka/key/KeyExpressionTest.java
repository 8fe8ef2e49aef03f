// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyExpressionTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "header:event-id",
        "header:event-id:long",
        "header:event-id:int",
        "header:event-id:uuid",
        "header:event-id:text",
        "header:event-id:first",
        "header:event-id:uuid:fail",
        "header:a\\:b",
        "header:a\\+b\\|c\\(d\\)",
        "json:/invoice/number",
        "json:",
        "json:/a~1b/0/c:d.e",
        "json:/a\\+b",
        "json:/a\\\\b",
        "key",
        "cloudevents",
        "offset",
        "body:raw",
        "body:json",
        "field:order.id",
        "field:labels.a\\.b",
        "header:a+json:/b",
        "header:a+json:/b+or-missing",
        "header:a+json:/b+or-absent",
        "header:a|json:/b|offset",
        "header:a+header:b|offset",
        "(header:a|header:b)+key",
        "(header:a+header:b)+key",
        "header:a|(header:b|key)+offset",
        "nonblank:header:a",
        "nonblank:header:a+key",
        "nonblank:(header:a|key)"
      })
  void whatIsDescribedIsWhatWasRead(String text) {
    assertThat(KeyExtractors.parse(text).describe()).isEqualTo(text);
    assertThat(KeyExtractors.parse(KeyExtractors.parse(text).describe()))
        .isEqualTo(KeyExtractors.parse(text));
  }

  @Test
  void theTextAndTheFactoryMakeTheSame() {
    assertThat(KeyExtractors.parse("header:a:long:first"))
        .isEqualTo(KeyExtractors.header("a", HeaderType.LONG, RepeatedHeader.FIRST));
    assertThat(KeyExtractors.parse("header:a + json:/b | key"))
        .isEqualTo(
            KeyExtractors.firstOf(
                List.of(
                    KeyExtractors.joined(
                        List.of(KeyExtractors.header("a"), KeyExtractors.json("/b"))),
                    KeyExtractors.recordKey())));
    assertThat(KeyExtractors.parse("header:a\\:b")).isEqualTo(KeyExtractors.header("a:b"));
    assertThat(KeyExtractors.parse("json:/a\\+b")).isEqualTo(KeyExtractors.json("/a+b"));
    assertThat(KeyExtractors.parse(" key ")).isEqualTo(KeyExtractors.recordKey());
    assertThat(KeyExtractors.parse("(key)")).isEqualTo(KeyExtractors.recordKey());
    assertThat(KeyExtractors.parse("header:a:last")).isEqualTo(KeyExtractors.header("a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "\"\";                       '' is no source",
        "heder:event-id;           'heder:event-id' is no source",
        "header;                   'header' is no source",
        "header:;                  header name: was empty",
        "header:a:lung;            'lung' behind a header's name must be text, long, int or uuid",
        "header:a:long:int;        'int' behind a header's name",
        "header:a:b;               (a ':' in the name itself is written '\\:')",
        "json:invoice;             must be empty or begin with '/'",
        "body;                     'body' is no source",
        "body:xml;                 'xml' is not known",
        "field:;                   must be a field's name",
        "field:a..b;               must be a field's name",
        "header:a+;                '' is no source",
        "header:a||key;            '' is no source",
        "(header:a;                has a '(' without its ')'",
        "header:a);                has a ')' without its '('",
        "header:a+or-absent;       fewer than two parts",
        "header:a\\;               ends with a backslash",
        "Key;                      'Key' is no source",
        "spel:#order.id + 'a|b';   needs Spring: SpringKeys.parse reads it, and stands alone",
        "header:a|spel:#b;         needs Spring: SpringKeys.parse reads it, and stands alone"
      })
  void whatIsWrongIsNamedWithWhatIsAllowed(String text, String why) {
    assertThatThrownBy(() -> KeyExtractors.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("key: was '" + text + "', ")
        .hasMessageContaining(why)
        .hasMessageContaining("must be header:NAME");
  }
}
