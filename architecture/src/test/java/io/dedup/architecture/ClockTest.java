// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import org.junit.jupiter.api.Test;

class ClockTest {

  private static final String THE_CLOCK = "io.dedup.time.SystemClock";

  @Test
  void oneClassOfTheLibraryReadsAClock() {
    noClasses()
        .that()
        .resideInAnyPackage(Code.LIBRARY)
        .and()
        .doNotHaveFullyQualifiedName(THE_CLOCK)
        .should()
        .accessTargetWhere(readsAClock())
        .because("whether a lease is over is the store's to say, and tests move time by hand")
        .check(Code.classes());
  }

  /** The rule above sees what it looks for: the one class that reads a clock breaks it. */
  @Test
  void theOneClassDoesReadAClock() {
    classes()
        .that()
        .haveFullyQualifiedName(THE_CLOCK)
        .should()
        .accessTargetWhere(readsAClock())
        .check(Code.classes());
  }

  private static DescribedPredicate<JavaAccess<?>> readsAClock() {
    return DescribedPredicate.describe(
        "reads a clock", access -> isClock(access.getTarget()) && !takesAClock(access.getTarget()));
  }

  private static boolean isClock(AccessTarget target) {
    String owner = target.getOwner().getName();
    return switch (target.getName()) {
      case "currentTimeMillis", "nanoTime" -> owner.equals(System.class.getName());
      case "now" -> owner.startsWith("java.time.");
      case "getInstance" -> owner.equals(Calendar.class.getName());
      case "<init>" -> isConstructedNow(target);
      default -> owner.equals(Clock.class.getName()) && isSystemClock(target.getName());
    };
  }

  /** The constructors without arguments of the old classes mean now. */
  private static boolean isConstructedNow(AccessTarget target) {
    return (target.getOwner().isAssignableTo(Date.class)
            || target.getOwner().isAssignableTo(Calendar.class))
        && parametersOf(target) == 0;
  }

  private static boolean isSystemClock(String method) {
    return method.startsWith("system") || (method.startsWith("tick") && !method.equals("tick"));
  }

  /** {@code Instant.now(clock)} reads the clock that it is given. */
  private static boolean takesAClock(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget unit
        && unit.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
  }

  private static int parametersOf(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget unit
        ? unit.getRawParameterTypes().size()
        : 0;
  }
}
