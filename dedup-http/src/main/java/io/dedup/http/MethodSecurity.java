// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Knows the annotations of method security, by name: none of them needs to be there. */
final class MethodSecurity {

  private static final List<String> BEFORE =
      List.of(
          "org.springframework.security.access.prepost.PreAuthorize",
          "org.springframework.security.access.prepost.PreFilter",
          "org.springframework.security.access.annotation.Secured",
          "jakarta.annotation.security.RolesAllowed",
          "jakarta.annotation.security.DenyAll");

  private static final List<String> AFTER =
      List.of(
          "org.springframework.security.access.prepost.PostAuthorize",
          "org.springframework.security.access.prepost.PostFilter");

  private MethodSecurity() {}

  /** Returns whether something is checked before the method is called. */
  static boolean checksBefore(Method method, Class<?> type) {
    return isOneOf(BEFORE, method, type);
  }

  /** Returns whether what the method returns is checked, which a replay does not return. */
  static boolean checksAfter(Method method, Class<?> type) {
    return isOneOf(AFTER, method, type);
  }

  private static boolean isOneOf(List<String> names, Method method, Class<?> type) {
    MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
    MergedAnnotations onType = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
    return names.stream().anyMatch(name -> onMethod.isPresent(name) || onType.isPresent(name));
  }
}
