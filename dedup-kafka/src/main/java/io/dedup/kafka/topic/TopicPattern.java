// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A topic's name in which each {@code *} stands for any number of characters, none included. */
final class TopicPattern {

  private final String text;
  private final Pattern regex;
  private final int length;

  private TopicPattern(String text) {
    this.text = text;
    this.regex =
        Pattern.compile(
            Arrays.stream(text.split("\\*", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    this.length = text.replace("*", "").length();
  }

  static boolean isPattern(String text) {
    return text.indexOf('*') >= 0;
  }

  static TopicPattern of(String text) {
    if (!text.matches("[a-zA-Z0-9._*-]+")) {
      throw new IllegalArgumentException(
          "topic pattern: was '"
              + text
              + "', must consist of the characters a-z A-Z 0-9 . _ - and * for any of them");
    }
    if (text.contains("**")) {
      throw new IllegalArgumentException(
          "topic pattern: was '" + text + "', must not have two * in a row");
    }
    return new TopicPattern(text);
  }

  boolean matches(String topic) {
    return regex.matcher(topic).matches();
  }

  /** Returns how many characters are given: the more, the more special the pattern. */
  int length() {
    return length;
  }

  @Override
  public String toString() {
    return text;
  }
}
