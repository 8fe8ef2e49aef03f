// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoomsTest {

  /** Fails for an empty room as well: a rule on nothing proves nothing. */
  @ParameterizedTest
  @MethodSource("house")
  void aRoomKnowsOnlyTheRoomsBeforeIt(Room room) {
    classes()
        .that()
        .resideInAPackage(room.packageName())
        .should()
        .onlyDependOnClassesThat(room.mayDependOn())
        .check(Code.classes());
  }

  @Test
  void everyClassIsInARoomOfTheHouse() {
    classes().should().resideInAnyPackage(Room.packageNames(Room.HOUSE)).check(Code.classes());
  }

  /** Who brings another driver has no Lettuce: a class that names it is not to be loaded then. */
  @Test
  void lettuceIsKnownToClassesNamedSoAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.dedup.redis..")
        .and()
        .haveSimpleNameNotContaining("Lettuce")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.lettuce..")
        .check(Code.classes());
  }

  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(Code.classes());
  }

  static List<Room> house() {
    return Room.HOUSE;
  }

  private static final class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      return SliceIdentifier.of(javaClass.getPackageName());
    }

    @Override
    public String getDescription() {
      return "each package";
    }
  }
}
