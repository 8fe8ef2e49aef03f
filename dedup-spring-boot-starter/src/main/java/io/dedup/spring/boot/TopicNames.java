// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes the name of a topic and that of a setting apart, where both may have dots: {@code
 * orders.v1.replay.group}.
 */
final class TopicNames {

  static final PropertyNames SETTINGS = PropertyNames.of(TopicProperties.class);

  private TopicNames() {}

  /**
   * A setting of a topic.
   *
   * @param rule the topic or pattern, letter by letter
   * @param setting its name as we write it, with positions in lists
   */
  record Setting(String rule, String setting) {}

  /**
   * Returns the setting that {@code name} means: {@code topic.setting} or {@code [topic].setting}.
   * Of several ways to read it the longest setting wins.
   *
   * @throws ConfigurationRefused if it means none
   */
  static Setting parse(String name) {
    if (name.startsWith("[")) {
      int end = name.indexOf(']');
      if (end > 1) {
        String setting = name.substring(end + 1).replaceFirst("^\\.", "");
        return known(name.substring(1, end), setting).orElseThrow(() -> unknown(name, setting));
      }
    }
    for (int dot : dots(name)) {
      Optional<Setting> found = known(name.substring(0, dot), name.substring(dot + 1));
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw unknown(name, name.substring(name.lastIndexOf('.') + 1));
  }

  private static Optional<Setting> known(String rule, String setting) {
    int bracket = setting.indexOf('[');
    String position = bracket < 0 ? "" : setting.substring(bracket);
    return rule.isEmpty()
        ? Optional.empty()
        : SETTINGS.find(setting).map(known -> new Setting(rule, known + position));
  }

  private static List<Integer> dots(String name) {
    List<Integer> dots = new ArrayList<>();
    for (int at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
      dots.add(at);
    }
    return dots;
  }

  private static ConfigurationRefused unknown(String name, String setting) {
    String nearest =
        SETTINGS.nearest(setting).map(known -> "; did you mean '" + known + "'?").orElse("");
    return new ConfigurationRefused(
        DedupTopics.PREFIX
            + "."
            + name
            + ": '"
            + setting
            + "' was not known, must be a setting of a topic"
            + nearest,
        "Correct the name. Known are: " + String.join(", ", SETTINGS.all()) + ".",
        null);
  }
}
