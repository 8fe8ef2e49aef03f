// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.net.URI;
import java.time.Duration;

/** Refuses configuration, saying what it was and what it must be. */
final class Refused {

  private Refused() {}

  /** Field names of HTTP: tokens of RFC 9110, section 5.6.2. */
  static void unlessHeaderName(String name, String value) {
    boolean token =
        !value.isEmpty()
            && value
                .chars()
                .allMatch(
                    c ->
                        c > ' '
                            && c < 127
                            && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0));
    if (!token) {
      throw new IllegalArgumentException(
          name + ": was '" + value + "', must be the name of a header");
    }
  }

  static void unlessPositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": was " + value + ", must be at least 1");
    }
  }

  static void ifNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + ": was " + value + ", must not be negative");
    }
  }

  static void unless4xx(String name, int status) {
    if (status < 400 || status > 499) {
      throw new IllegalArgumentException(name + ": was " + status + ", must be 400 to 499");
    }
  }

  static void unlessUri(String name, String value) {
    try {
      if (URI.create(value).getFragment() != null) {
        throw new IllegalArgumentException(
            name + ": was " + value + ", must have no fragment: the problem's code becomes it");
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": was " + value + ", must be a URI", e);
    }
  }
}
