// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * The configuration cannot be worked with. Thrown at start, and shown by Boot as what is wrong and
 * what to do about it.
 */
public final class ConfigurationRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String action;

  /**
   * Makes the refusal.
   *
   * @param description what was found and what must be there
   * @param action what to change
   */
  public ConfigurationRefused(String description, String action, @Nullable Throwable cause) {
    super(description, cause);
    this.action = action;
  }

  /** Refuses a property; {@code description} begins with its name. */
  static ConfigurationRefused property(String description, String hint, @Nullable Throwable cause) {
    int colon = description.indexOf(':');
    String name = colon < 0 ? "the property" : description.substring(0, colon);
    return new ConfigurationRefused(description, "Change " + name + "." + hint, cause);
  }

  /** Returns what to change. */
  public String action() {
    return action;
  }
}
