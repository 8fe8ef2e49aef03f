// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Refuses properties under {@code dedup} that mean nothing: they are typing errors, and what was
 * meant does not hold. The environment of the process and the system properties are left out, as
 * their names need not be ours.
 */
final class UnknownProperties {

  private static final PropertyNames KNOWN = PropertyNames.of(DedupProperties.class);
  private static final String TOPICS = "kafka.topics";

  private UnknownProperties() {}

  /**
   * Checks the names, but those of topics.
   *
   * @throws ConfigurationRefused if one is not known
   */
  static void refuse(ConfigurableEnvironment environment) {
    List<String> found = new ArrayList<>();
    for (WrittenProperties.Written property :
        WrittenProperties.under(DedupProperties.PREFIX, environment)) {
      if (!property.shared()
          && !isTopic(property.name())
          && KNOWN.find(property.name()).isEmpty()) {
        found.add(described(property));
      }
    }
    if (!found.isEmpty()) {
      throw new ConfigurationRefused(
          String.join("\n", new TreeSet<>(found)),
          "Correct or remove "
              + (found.size() == 1 ? "the property" : "the properties")
              + ". The manual's page spring-boot.md has all of them.",
          null);
    }
  }

  private static boolean isTopic(String name) {
    return name.startsWith(TOPICS + ".") || name.startsWith(TOPICS + "[");
  }

  private static String described(WrittenProperties.Written property) {
    String nearest =
        KNOWN
            .nearest(property.name())
            .map(name -> "; did you mean 'dedup." + name + "'?")
            .orElse("");
    return "dedup."
        + property.name()
        + ": was not known, must be a property of dedup"
        + nearest
        + " (in "
        + property.source()
        + ")";
  }
}
