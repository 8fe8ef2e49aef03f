// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.Locale;
import java.util.Optional;

/** The container images of the servers, and whether they are wanted. */
enum Image {
  REDIS("redis:8"),
  POSTGRES("postgres:18"),
  MARIADB("mariadb:11"),
  KAFKA("apache/kafka:4.1.2");

  private static final String SERVERS_PROPERTY = "dedup.test.servers";
  private static final String EMBEDDED = "embedded";
  private static final String CONTAINERS = "containers";

  private final String usual;

  Image(String usual) {
    this.usual = usual;
  }

  /** The image to start, or nothing where a process of ours is wanted instead. */
  Optional<String> wanted() {
    String servers = System.getProperty(SERVERS_PROPERTY, EMBEDDED);
    if (servers.equals(EMBEDDED)) {
      return Optional.empty();
    }
    if (!servers.equals(CONTAINERS)) {
      throw new IllegalArgumentException(
          SERVERS_PROPERTY + ": was " + servers + ", must be " + EMBEDDED + " or " + CONTAINERS);
    }
    Binaries.resource(
        "org/testcontainers/containers/GenericContainer.class",
        "-D" + SERVERS_PROPERTY + "=" + CONTAINERS,
        "org.testcontainers:testcontainers with its modules postgresql, mariadb and kafka");
    String property = "dedup.test.image." + name().toLowerCase(Locale.ROOT);
    return Optional.of(System.getProperty(property, usual))
        .filter(image -> !image.equals(EMBEDDED));
  }
}
