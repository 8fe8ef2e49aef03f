// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a Redis process is started with, be it in a process of ours or in a container.
 *
 * @param directives lines of redis.conf; a later line overrides an earlier one
 * @param extraFiles further files of the data directory, by name
 */
record RedisConfig(Kind kind, int port, List<String> directives, Map<String, String> extraFiles) {

  static final String FILE = "redis.conf";

  enum Kind {
    REDIS,
    SENTINEL
  }

  RedisConfig {
    directives = List.copyOf(directives);
    extraFiles = Map.copyOf(extraFiles);
  }

  static RedisConfig server(int port, List<String> directives) {
    return new RedisConfig(Kind.REDIS, port, directives, Map.of());
  }

  List<String> arguments() {
    return kind == Kind.SENTINEL ? List.of("--sentinel") : List.of();
  }

  /** The files to be written before the start, by name; {@code data} is where they will lie. */
  Map<String, String> files(String bind, Path data) {
    StringBuilder conf = new StringBuilder();
    conf.append("bind ").append(bind).append('\n');
    conf.append("port ").append(port).append('\n');
    conf.append("dir \"").append(data).append("\"\n");
    conf.append("protected-mode no\n");
    if (kind == Kind.REDIS) {
      // What was answered survives SIGKILL; only a failure of the whole machine would need fsync.
      conf.append("save \"\"\nappendonly yes\nappendfsync no\n");
      conf.append("repl-diskless-sync yes\nrepl-diskless-sync-delay 0\n");
    }
    directives.forEach(line -> conf.append(line).append('\n'));
    Map<String, String> files = new LinkedHashMap<>(extraFiles);
    files.put(FILE, conf.toString());
    return files;
  }
}
