// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class HabitsTest {

  private static final Pattern EMPTY_WORD = Pattern.compile("Manager|Helper|Util|Impl(?![a-z])|V2");

  @Test
  void everyPackageIsNullMarked() {
    List<JavaPackage> packages =
        Code.classes().stream().map(JavaClass::getPackage).distinct().toList();

    assertThat(packages)
        .hasSizeGreaterThan(4)
        .allSatisfy(
            room ->
                assertThat(room.isAnnotatedWith(NullMarked.class))
                    .as("package-info.java of %s has @NullMarked", room.getName())
                    .isTrue());
  }

  /** The test kit's servers are programs of their own, and speak to their own log. */
  @Test
  void librariesDoNotPrint() {
    noClasses()
        .that(resideInAnyPackage(Code.LIBRARY).or(resideInAnyPackage("io.dedup.testkit..")))
        .and(describe("are no program", c -> c.tryGetMethod("main", String[].class).isEmpty()))
        .should(ACCESS_STANDARD_STREAMS)
        .because("a library logs with slf4j, and the application says where it goes")
        .check(Code.classes());
  }

  @Test
  void nobodyUsesJavaUtilLogging() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.logging..")
        .check(Code.classes());
  }

  @Test
  void noClassIsNamedByAnEmptyWord() {
    assertThat(Code.classes())
        .extracting(JavaClass::getSimpleName)
        .isNotEmpty()
        .noneMatch(name -> EMPTY_WORD.matcher(name).find());
  }
}
