// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names of columns, checked before they become part of a statement. As the names of tables they
 * mean what they would mean unquoted in SQL.
 */
final class ColumnNames {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  private ColumnNames() {}

  /**
   * Returns {@code name}.
   *
   * @param role what the column is for, to be named in the message
   * @throws IllegalArgumentException if it is not a plain identifier
   */
  static String of(String role, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          role
              + ": was '"
              + name
              + "', must be the name of a column, of at most "
              + TableName.PART_MAX
              + " ASCII letters, digits and underscores, not beginning with a digit, without quotes");
    }
    return name;
  }

  /**
   * Returns {@code names}.
   *
   * @throws IllegalArgumentException if one of them is not a plain identifier
   */
  static List<String> of(String role, String... names) {
    return Stream.of(names).map(name -> of(role, name)).toList();
  }

  /**
   * Checks that no column has two uses.
   *
   * @throws IllegalArgumentException if one appears twice
   */
  static void checkDistinct(Stream<String> names) {
    Set<String> seen = new HashSet<>();
    names.forEach(
        name -> {
          if (!seen.add(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                "column " + name + ": was named twice, must have one use");
          }
        });
  }
}
