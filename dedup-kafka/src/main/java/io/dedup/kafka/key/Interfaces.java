// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import org.jspecify.annotations.Nullable;

/** Finds what a class implements by name, so that the library it comes from need not be there. */
final class Interfaces {

  private Interfaces() {}

  /** Returns the interface of that name if the class has it, directly or inherited, else null. */
  static @Nullable Class<?> find(Class<?> type, String name) {
    for (@Nullable Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().equals(name)) {
        return c;
      }
      for (Class<?> parent : c.getInterfaces()) {
        Class<?> found = find(parent, name);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
