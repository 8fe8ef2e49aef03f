// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them. */
final class DurationText {

  private static final Pattern SIMPLE = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

  private DurationText() {}

  static Duration read(String text) {
    Matcher simple = SIMPLE.matcher(text);
    if (simple.matches()) {
      return Duration.ofMillis(unitMillis(simple.group(2)))
          .multipliedBy(Long.parseLong(simple.group(1)));
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "ttl: was '"
              + text
              + "', must be 'retention', a number with a unit such as 7d, 12h, 10m, 30s or 500ms,"
              + " an ISO-8601 duration such as PT10M, or 'timestamp+' and one of these",
          e);
    }
  }

  private static long unitMillis(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      default -> 86_400_000;
    };
  }
}
