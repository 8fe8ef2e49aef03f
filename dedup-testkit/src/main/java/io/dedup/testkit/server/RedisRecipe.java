// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** A Redis process: a server, a node of a cluster, or a sentinel. */
final class RedisRecipe implements Recipe {

  static final String EXECUTABLE_PROPERTY = "dedup.test.redis.executable";

  private static final String ARTEFACT = "com.github.codemonstur:embedded-redis";

  private final RedisConfig config;
  private final Path executable;

  private RedisRecipe(RedisConfig config, Path executable) {
    this.config = config;
    this.executable = executable;
  }

  static RedisRecipe of(RedisConfig config) {
    try {
      return new RedisRecipe(config, redisServer());
    } catch (IOException e) {
      throw new IllegalStateException("redis-server could not be unpacked", e);
    }
  }

  private static Path redisServer() throws IOException {
    String own = System.getProperty(EXECUTABLE_PROPERTY);
    if (own != null) {
      if (!Files.isExecutable(Path.of(own))) {
        throw new IllegalArgumentException(
            EXECUTABLE_PROPERTY + ": was " + own + ", must be the path of a redis-server");
      }
      return Path.of(own).toRealPath();
    }
    return embedded();
  }

  /** The server of the artefact, unpacked. */
  static Path embedded() throws IOException {
    Binaries.resource("redis/embedded/core/ExecutableProvider.class", "RedisServer", ARTEFACT);
    return Embedded.redisServer();
  }

  /** Apart, so that the classes of the artefact are wanted only where it is. */
  private static final class Embedded {

    static Path redisServer() throws IOException {
      OsArchitecture here = OsArchitecture.detectOSandArchitecture();
      String resource = ExecutableProvider.newProvidedVersionsMap().get(here);
      if (resource == null) {
        throw new IllegalStateException(
            ARTEFACT
                + " has no redis-server for this system; name one by -D"
                + EXECUTABLE_PROPERTY);
      }
      URL binary = Binaries.resource(resource.substring(1), "RedisServer", ARTEFACT);
      Path file = Path.of("bin", "redis-server");
      Path folder =
          Binaries.unpacked(
              "redis",
              binary,
              to -> {
                try (InputStream in = binary.openStream()) {
                  Binaries.copy(in, to, file);
                }
              });
      return folder.resolve(file).toRealPath();
    }
  }

  @Override
  public String kind() {
    return config.kind().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Path executable() {
    return executable;
  }

  @Override
  public void prepare(Path data, int port) throws IOException {
    for (Map.Entry<String, String> file : config.files(Ports.LOOPBACK, data).entrySet()) {
      Files.writeString(data.resolve(file.getKey()), file.getValue());
    }
  }

  @Override
  public List<String> command(Path data) {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.add(data.resolve(RedisConfig.FILE).toString());
    command.addAll(config.arguments());
    return command;
  }

  @Override
  public boolean ready(Launched launched) throws IOException {
    try (Resp redis = new Resp(Ports.LOOPBACK, launched.port())) {
      String id = "process_id:" + launched.process().pid() + "\r";
      return redis.call("INFO", "server").contains(id) && redis.call("PING").equals("PONG");
    } catch (IOException e) {
      return false; // not listening yet, or still loading its data
    }
  }
}
