// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The main code of all modules, read once. */
final class Code {

  /** What users get: everything but the test kit and the examples. */
  static final String[] LIBRARY = {
    "io.dedup",
    "io.dedup.time",
    "io.dedup.key",
    "io.dedup.claim",
    "io.dedup.redis..",
    "io.dedup.jdbc..",
    "io.dedup.kafka.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.dedup");

  private Code() {}

  static JavaClasses classes() {
    return CLASSES;
  }
}
