// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.stream.Stream;

/**
 * A package of the house and what it may know: rooms before it, and libraries of its own module.
 *
 * @param packageName the package; with its sub-packages where it ends in two dots
 * @param rooms the rooms before it that it may know
 * @param libraries the packages of other projects that it may know
 */
record Room(String packageName, List<Room> rooms, DescribedPredicate<? super JavaClass> libraries) {

  private static final String[] JAVA = {"java..", "javax..", "org.jspecify.."};

  private static final Room TIME = new Room("io.dedup.time", List.of(), using());
  private static final Room KEY = new Room("io.dedup.key", List.of(TIME), using());
  private static final Room CLAIM =
      new Room(
          "io.dedup.claim",
          List.of(TIME, KEY),
          using("org.slf4j..", "com.github.benmanes.caffeine..", "io.github.resilience4j.."));
  private static final Room FRONT_DOOR =
      new Room(
          "io.dedup",
          List.of(TIME, KEY, CLAIM),
          using("org.slf4j..", "com.github.benmanes.caffeine..", "io.github.resilience4j.."));

  private static final List<Room> CORE = List.of(TIME, KEY, CLAIM, FRONT_DOOR);

  private static final Room REDIS =
      new Room(
          "io.dedup.redis..",
          CORE,
          using(
              "org.slf4j..",
              "org.springframework.data..",
              "org.springframework.dao..",
              "org.springframework.util..",
              "io.lettuce.."));
  private static final Room JDBC =
      new Room(
          "io.dedup.jdbc..",
          CORE,
          using(
              "org.slf4j..",
              "org.springframework.jdbc..",
              "org.springframework.transaction..",
              "org.springframework.dao..",
              "org.springframework.util.."));

  /** No Spring: who uses the plain consumer has no spring-kafka on the class path. */
  private static final DescribedPredicate<JavaClass> PLAIN_KAFKA =
      using("org.slf4j..", "org.apache.kafka..", "tools.jackson..");

  private static final Room KAFKA_TOPIC = new Room("io.dedup.kafka.topic", CORE, PLAIN_KAFKA);
  private static final Room KAFKA_KEY =
      new Room("io.dedup.kafka.key", and(CORE, KAFKA_TOPIC), PLAIN_KAFKA);
  private static final Room KAFKA =
      new Room("io.dedup.kafka", and(CORE, KAFKA_TOPIC, KAFKA_KEY), PLAIN_KAFKA);

  private static final Room KAFKA_SPRING =
      new Room(
          "io.dedup.kafka.spring",
          and(CORE, KAFKA_TOPIC, KAFKA_KEY, KAFKA),
          PLAIN_KAFKA.or(
              using("org.springframework..", "org.aopalliance..", "reactor..", "io.micrometer..")));

  private static final Room MICROMETER =
      new Room("io.dedup.micrometer", CORE, using("org.slf4j..", "io.micrometer.."));

  private static final Room HTTP =
      new Room(
          "io.dedup.http..",
          CORE,
          using(
              "org.slf4j..",
              "jakarta.servlet..",
              "org.springframework..",
              "org.aopalliance..",
              "tools.jackson..",
              "reactor..",
              "org.reactivestreams..",
              "org.apache.kafka.."));

  private static final Room SPRING =
      new Room(
          "io.dedup.spring..",
          and(CORE, REDIS, JDBC, KAFKA_TOPIC, KAFKA_KEY, KAFKA, KAFKA_SPRING, MICROMETER, HTTP),
          anyLibrary());

  private static final Room TESTKIT = new Room("io.dedup.testkit..", CORE, anyLibrary());
  private static final Room EXAMPLES =
      new Room(
          "io.dedup.examples..",
          and(
              CORE,
              REDIS,
              JDBC,
              KAFKA_TOPIC,
              KAFKA_KEY,
              KAFKA,
              KAFKA_SPRING,
              MICROMETER,
              HTTP,
              SPRING,
              TESTKIT),
          anyLibrary());

  /** All rooms. A new package needs a row here first. */
  static final List<Room> HOUSE =
      and(
          CORE,
          REDIS,
          JDBC,
          KAFKA_TOPIC,
          KAFKA_KEY,
          KAFKA,
          KAFKA_SPRING,
          MICROMETER,
          HTTP,
          SPRING,
          TESTKIT,
          EXAMPLES);

  static String[] packageNames(List<Room> rooms) {
    return rooms.stream().map(Room::packageName).toArray(String[]::new);
  }

  DescribedPredicate<JavaClass> mayDependOn() {
    return resideInAnyPackage(JAVA)
        .or(resideInAnyPackage(packageName))
        .or(resideInAnyPackage(packageNames(rooms)))
        .or(libraries);
  }

  @Override
  public String toString() {
    return packageName;
  }

  private static List<Room> and(List<Room> before, Room... more) {
    return Stream.concat(before.stream(), Stream.of(more)).toList();
  }

  private static DescribedPredicate<JavaClass> using(String... packages) {
    return resideInAnyPackage(packages);
  }

  private static DescribedPredicate<JavaClass> anyLibrary() {
    return resideOutsideOfPackage("io.dedup..");
  }
}
