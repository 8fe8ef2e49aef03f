// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The properties under a prefix as they are written, since names of topics may hold what Boot's own
 * names cannot: dots, capitals and {@code *}.
 */
final class WrittenProperties {

  /** Where names come from elsewhere as well, and need not be ours. */
  private static final Set<String> SHARED =
      Set.of(
          StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
          StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

  private WrittenProperties() {}

  /**
   * A property.
   *
   * @param name as it is written, without the prefix and the dot behind it
   * @param value with its placeholders resolved
   * @param source where it is written, for people
   * @param shared whether it is in a place whose names need not be ours
   */
  record Written(String name, Object value, String source, boolean shared) {}

  /** Returns the properties under {@code prefix}, those that win first. */
  static List<Written> under(String prefix, ConfigurableEnvironment environment) {
    List<Written> all = new ArrayList<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> enumerable) {
        for (String name : enumerable.getPropertyNames()) {
          add(all, rest(prefix, name), enumerable, name, environment);
        }
      }
    }
    return all;
  }

  private static void add(
      List<Written> all,
      @Nullable String rest,
      EnumerablePropertySource<?> source,
      String name,
      ConfigurableEnvironment environment) {
    Object value = rest == null ? null : source.getProperty(name);
    if (rest != null && value != null) {
      Object resolved =
          value instanceof CharSequence text
              ? environment.resolveRequiredPlaceholders(text.toString())
              : value;
      all.add(new Written(rest, resolved, source.getName(), SHARED.contains(source.getName())));
    }
  }

  private static @Nullable String rest(String prefix, String name) {
    if (!name.startsWith(prefix) || name.length() == prefix.length()) {
      return null;
    }
    char next = name.charAt(prefix.length());
    if (next == '[') {
      return name.substring(prefix.length());
    }
    return next == '.' ? name.substring(prefix.length() + 1) : null;
  }
}
