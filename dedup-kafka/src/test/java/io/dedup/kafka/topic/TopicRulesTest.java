// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicRulesTest {

  private static final Map<String, String> RULES =
      Map.of("orders.*", "1d", "orders.payment", "30d", "*", "1h", "orders.eu.*", "2d");

  @Test
  void theNameComesBeforeTheLongestPatternBeforeTheDefaultInEveryOrder() {
    List<String> order = new ArrayList<>(RULES.keySet());
    for (int rotation = 0; rotation < order.size(); rotation++) {
      Collections.rotate(order, 1);
      for (boolean reversed : new boolean[] {false, true}) {
        List<String> names = new ArrayList<>(order);
        if (reversed) {
          Collections.reverse(names);
        }
        Map<String, String> ordered = new LinkedHashMap<>();
        names.forEach(name -> ordered.put(name, RULES.get(name)));
        TopicRules<String> rules = TopicRules.of(ordered);
        assertThat(rules.get("orders.payment")).isEqualTo("30d");
        assertThat(rules.get("orders.refund")).isEqualTo("1d");
        assertThat(rules.get("orders.eu.refund")).isEqualTo("2d");
        assertThat(rules.get("orders")).isEqualTo("1h");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "orders.*, orders., true",
    "orders.*, orders.a.b, true",
    "orders.*, ordersXa, false",
    "*-dlt, orders-dlt, true",
    "*-dlt, orders-dlt-1, false",
    "a*b*c, abc, true",
    "a*b*c, aXbYc, true",
    "a*b*c, acb, false"
  })
  void aStarStandsForAnyCharacters(String pattern, String topic, boolean matches) {
    assertThat(TopicRules.of(Map.of(pattern, 1)).find(topic).isPresent()).isEqualTo(matches);
  }

  @Test
  void patternsThatAreEquallySpecialAreRefusedForTopicsThatBothClaim() {
    TopicRules<String> rules = TopicRules.of(Map.of("orders.*", "1d", "*.orders", "2d", "x", "3d"));
    assertThat(rules.get("orders.a")).isEqualTo("1d");
    assertThatThrownBy(() -> rules.get("orders.orders"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'orders.*'")
        .hasMessageContaining("'*.orders'");
    assertThat(
            TopicRules.of(Map.of("orders.*", "1d", "*.orders", "2d", "orders.orders", "3d"))
                .get("orders.orders"))
        .isEqualTo("3d");
    assertThat(
            TopicRules.of(Map.of("orders.*", "1d", "*.orders", "2d", "orders.*ders", "3d"))
                .get("orders.orders"))
        .isEqualTo("3d");
  }

  @Test
  void aTopicWithoutARuleIsRefused() {
    assertThatThrownBy(() -> TopicRules.of(Map.of("orders", 1, "a.*", 2)).get("oders"))
        .hasMessage("topic oders: matched none of [a.*, orders], must match one");
  }

  @Test
  void aRuleForNoTopicIsRefused() {
    TopicRules<Integer> rules = TopicRules.of(Map.of("orders", 1, "a.*", 2));
    rules.checkUsed(List.of("orders", "a.b", "c"));
    assertThatThrownBy(() -> rules.checkUsed(List.of("oders", "a.b")))
        .hasMessage("topic rule 'orders': matched none of [oders, a.b], must match one");
    assertThatThrownBy(() -> rules.checkUsed(List.of("orders"))).hasMessageContaining("'a.*'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "..", "a b*", "orders.[a-z]*", "a**b", "é*"})
  void whatNoTopicCanBeCalledIsRefused(String name) {
    assertThatThrownBy(() -> TopicRules.of(Map.of(name, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void settingsCanBeMadeOfOtherSettings() {
    assertThat(TopicRules.of(RULES).map(Ttl::parse).get("orders.payment"))
        .isEqualTo(Ttl.of(java.time.Duration.ofDays(30)));
  }
}
