// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What brokers of several ages answer. */
class RetentionReaderTest {

  private static final Map<String, String> TODAY =
      Map.of(
          "cleanup.policy", "delete",
          "retention.ms", "604800000",
          "segment.ms", "3600000",
          "message.timestamp.type", "CreateTime",
          "message.timestamp.after.max.ms", "3600000");

  private static TopicRetention read(String... namesAndValues) {
    Map<String, String> values = new HashMap<>(TODAY);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] == null) {
        values.remove(namesAndValues[i]);
      } else {
        values.put(namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    List<ConfigEntry> entries =
        values.entrySet().stream().map(e -> new ConfigEntry(e.getKey(), e.getValue())).toList();
    return RetentionReader.retention("orders", new Config(entries));
  }

  @Test
  void theSettingsOfABrokerOfTodayAreRead() {
    assertThat(read())
        .isEqualTo(
            new TopicRetention(
                "orders",
                false,
                Duration.ofDays(7),
                Duration.ofHours(1),
                false,
                Duration.ofHours(1)));
  }

  @ParameterizedTest
  @CsvSource({
    "delete, false",
    "compact, true",
    "'compact,delete', true",
    "'delete, compact', true",
    "'', false"
  })
  void compactionIsFoundInTheListOfPolicies(String policy, boolean compacted) {
    assertThat(read("cleanup.policy", policy).compacted()).isEqualTo(compacted);
  }

  @Test
  void minusOneIsNoLimit() {
    assertThat(read("retention.ms", "-1").retention()).isNull();
  }

  @Test
  void theTimestampsOfLogAppendTimeAreNeverAhead() {
    TopicRetention retention = read("message.timestamp.type", "LogAppendTime");
    assertThat(retention.ahead(Duration.ofDays(1))).isEqualTo(Duration.ZERO);
    assertThat(retention.limitsTimestamps()).isTrue();
  }

  @Test
  void theLargestNumberIsNoLimitOfTimestamps() {
    TopicRetention retention = read("message.timestamp.after.max.ms", "9223372036854775807");
    assertThat(retention.timestampAfterMax()).isNull();
    assertThat(retention.ahead(Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
    assertThat(retention.limitsTimestamps()).isFalse();
  }

  @Test
  void brokersFromBeforeTheSettingHaveItsPredecessorOrNone() {
    assertThat(
            read(
                    "message.timestamp.after.max.ms",
                    null,
                    "message.timestamp.difference.max.ms",
                    "60000")
                .timestampAfterMax())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(
            read(
                    "message.timestamp.after.max.ms",
                    null,
                    "message.timestamp.difference.max.ms",
                    "9223372036854775807")
                .timestampAfterMax())
        .isNull();
    assertThat(read("message.timestamp.after.max.ms", null).timestampAfterMax()).isNull();
  }

  @Test
  void aSettingThatIsMissingOrNoNumberIsNamed() {
    assertThatThrownBy(() -> read("segment.ms", null))
        .isInstanceOf(TopicReadException.class)
        .hasMessage("topic orders: its segment.ms: was null, must be a number of milliseconds");
    assertThatThrownBy(() -> read("retention.ms", "a week"))
        .hasMessageContaining("topic orders: its retention.ms: was a week");
  }
}
