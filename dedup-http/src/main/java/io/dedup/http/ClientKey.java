// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** What a request has for a key. */
sealed interface ClientKey {

  /** It has none. */
  record Absent() implements ClientKey {}

  /**
   * It has one that is not accepted.
   *
   * @param why for the client; does not repeat the key
   */
  record Invalid(String why) implements ClientKey {}

  /**
   * It has one.
   *
   * @param text in its one notation
   */
  record Valid(String text) implements ClientKey {}

  /**
   * Reads the field lines of the header: a string of RFC 9651, whose parameters mean nothing to us,
   * or the bare text. Both notations are the same key.
   */
  static ClientKey of(List<String> lines, ClientKeyLimits limits) {
    if (lines.isEmpty()) {
      return new Absent();
    }
    if (lines.size() > 1) {
      return new Invalid("The header is there more than once.");
    }
    String line = lines.get(0).strip();
    if (line.isEmpty()) {
      return new Invalid("The header is empty.");
    }
    if (line.startsWith("\"")) {
      return quoted(line, limits);
    }
    // Two lines that a proxy has joined look like this.
    return line.indexOf(',') < 0
        ? checked(line, limits)
        : new Invalid("It must not have a comma outside of quotes.");
  }

  private static ClientKey quoted(String line, ClientKeyLimits limits) {
    StringBuilder text = new StringBuilder();
    int i = 1;
    while (i < line.length() && line.charAt(i) != '"') {
      char c = line.charAt(i);
      if (c == '\\') {
        i++;
        c = i < line.length() ? line.charAt(i) : '\0';
        if (c != '"' && c != '\\') {
          return new Invalid("The quoted text has a bad escape.");
        }
      }
      text.append(c);
      i++;
    }
    if (i >= line.length()) {
      return new Invalid("The quoted text has no end.");
    }
    String rest = line.substring(i + 1).strip();
    // A comma would begin a second member, and a list is no single key.
    if (!rest.isEmpty() && (rest.charAt(0) != ';' || rest.indexOf(',') >= 0)) {
      return new Invalid("There is more than one quoted text.");
    }
    return checked(text.toString(), limits);
  }

  private static ClientKey checked(String text, ClientKeyLimits limits) {
    if (text.length() < limits.minLength() || text.length() > limits.maxLength()) {
      return new Invalid(
          "It must have " + limits.minLength() + " to " + limits.maxLength() + " characters.");
    }
    if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      return new Invalid("It must consist of visible ASCII characters.");
    }
    return limits.format() == ClientKeyFormat.UUID ? uuid(text) : new Valid(text);
  }

  private static ClientKey uuid(String text) {
    try {
      String lower = text.toLowerCase(Locale.ROOT);
      if (UUID.fromString(lower).toString().equals(lower)) {
        return new Valid(lower);
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    return new Invalid("It must be a UUID.");
  }
}
