// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.key.ExtractedId;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that are taken by expressions. */
class SpringKeysTest {

  /** What a deserializer made. */
  public record Order(String number, Customer customer, long version) {}

  public record Customer(String id) {}

  private static final Order ORDER = new Order("4711", new Customer("c-1"), 3);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "spel:#value.number; 4711",
        "spel: #value.customer.id + '/' + #value.number; c-1/4711",
        "spel:#value.version; number:3",
        "spel:#headers['event-id']; e-9",
        "spel:#topic + '|' + #key; orders|k",
        "spel:#value.number.substring(0, 2); 47",
        "header:event-id; e-9"
      })
  void anIdIsTakenFromWhatTheExpressionGives(String key, String id) {
    assertThat(extract(key, ORDER)).isEqualTo(new ExtractedId.Found(id));
  }

  @Test
  void entriesOfAMapAreReadLikeProperties() {
    assertThat(extract("spel:#value.order.id", Map.of("order", Map.of("id", "a"))))
        .isEqualTo(new ExtractedId.Found("a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"spel:#value.customer?.id", "spel:#headers['no-such']", "spel:''"})
  void nothingIsAMissingKey(String key) {
    assertThat(extract(key, new Order("1", null, 0))).isInstanceOf(ExtractedId.Missing.class);
  }

  @Test
  void anExpressionThatFailsForARecordIsUnreadableAndQuotesNothingOfIt() {
    assertThat(extract("spel:#value.customer.id", new Order("secret", null, 0)))
        .isInstanceOfSatisfying(
            ExtractedId.Unreadable.class,
            unreadable ->
                assertThat(unreadable.why()).contains("cannot be").doesNotContain("secret"));
    assertThat(extract("spel:#value", ORDER))
        .isInstanceOfSatisfying(
            ExtractedId.Unreadable.class,
            unreadable -> assertThat(unreadable.why()).contains("must be text, a number"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "spel:; must be 'spel:' and an expression",
        "spel:#value.; must be 'spel:' and an expression",
        "spel:#valeu.id; has #valeu, must refer to nothing but [#headers, #key, #topic, #value]",
        "spel:#root.id; has #root"
      })
  void anExpressionThatCannotWorkIsRefusedWhenItIsRead(String key, String why) {
    assertThatThrownBy(() -> SpringKeys.parse(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key: was '" + key + "'")
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "spel:T(java.lang.Runtime).getRuntime()",
        "spel:new java.io.File('a').path",
        "spel:@bean.id",
        "spel:#value.class.name"
      })
  void anExpressionReachesNoTypesAndNoBeans(String key) {
    assertThat(extract(key, ORDER)).isInstanceOf(ExtractedId.Unreadable.class);
  }

  private static ExtractedId extract(String key, Object value) {
    ConsumerRecord<Object, Object> record = new ConsumerRecord<>("orders", 0, 0, "k", value);
    record.headers().add("event-id", "e-9".getBytes(UTF_8));
    return SpringKeys.parse(key).extract(record);
  }
}
