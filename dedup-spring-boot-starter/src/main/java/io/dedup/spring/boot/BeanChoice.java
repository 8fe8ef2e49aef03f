// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the bean that is meant where there may be several. */
final class BeanChoice {

  private BeanChoice() {}

  /**
   * Returns the bean of that name, or the only one, or the primary one.
   *
   * @param name what {@code property} says, null for nothing
   * @throws ConfigurationRefused if there is none of that name, or none of several is meant
   */
  static <T> T one(
      ListableBeanFactory beans, Class<T> type, @Nullable String name, String property) {
    if (name != null) {
      return named(beans, type, name, property);
    }
    T only = beans.getBeanProvider(type).getIfUnique();
    if (only == null) {
      throw new ConfigurationRefused(
          property
              + ": was not set, must name one of "
              + names(beans, type)
              + ", since none of them is primary.",
          "Set " + property + ", or mark one of the beans as @Primary.",
          null);
    }
    return only;
  }

  private static <T> T named(
      ListableBeanFactory beans, Class<T> type, String name, String property) {
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
      throw new ConfigurationRefused(
          property
              + ": was '"
              + name
              + "', must be the name of a "
              + type.getSimpleName()
              + ": one of "
              + names(beans, type)
              + ".",
          "Correct " + property + ".",
          null);
    }
    return beans.getBean(name, type);
  }

  private static String names(ListableBeanFactory beans, Class<?> type) {
    return Arrays.toString(beans.getBeanNamesForType(type, true, false));
  }
}
