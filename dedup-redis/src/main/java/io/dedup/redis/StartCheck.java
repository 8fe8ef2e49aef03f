// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.StoreMisconfigured;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

/** Looks at a Redis before it is used: at its version, and whether it throws keys away. */
final class StartCheck {

  private static final Logger log = LoggerFactory.getLogger(StartCheck.class);

  /** Before 6.2, scripts and streams of replicas behave in ways that we do not test. */
  private static final int MAJOR = 6;

  private static final int MINOR = 2;
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

  private StartCheck() {}

  /** Looks at each master. One that does not answer is left to the self-test of the scripts. */
  static void check(RedisConnection connection) {
    if (!(connection instanceof RedisClusterConnection cluster)) {
      check("", section -> connection.serverCommands().info(section));
      return;
    }
    for (RedisClusterNode node : cluster.clusterGetNodes()) {
      if (node.isMaster()) {
        check(" at " + node.asString(), section -> cluster.serverCommands().info(node, section));
      }
    }
  }

  /**
   * Checks that nothing is kept in the compact layout: a store of the standard one would not look
   * there, and run again what is done.
   */
  static void checkNothingIsCompact(RedisConnection connection, KeyNames names) {
    for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
      if (Boolean.TRUE.equals(connection.keyCommands().exists(names.index(bucket)))) {
        throw new StoreMisconfigured(
            "layout: was standard, must be compact for as long as keys are kept that were done in"
                + " that layout",
            null);
      }
    }
  }

  private static void check(String where, Info info) {
    try {
      checkVersion(where, value(info.of("server"), "redis_version"));
      checkEviction(where, value(info.of("memory"), "maxmemory_policy"));
    } catch (StoreMisconfigured e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("Redis{} does not tell its version and eviction policy (INFO)", where, e);
    }
  }

  private static void checkVersion(String where, @Nullable String version) {
    Matcher parts = VERSION.matcher(version == null ? "" : version);
    if (!parts.matches()) {
      log.warn("Redis{} has an unknown version: {}", where, version);
      return;
    }
    int major = Integer.parseInt(parts.group(1));
    int minor = Integer.parseInt(parts.group(2));
    if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
      throw new StoreMisconfigured(
          "Redis" + where + ": version was " + version + ", must be 6.2 or newer", null);
    }
  }

  private static void checkEviction(String where, @Nullable String policy) {
    if (!"noeviction".equals(policy)) {
      log.warn(
          "Redis{}: maxmemory-policy was {}, should be noeviction: a key thrown away to make room"
              + " runs again when its message is delivered again",
          where,
          policy);
    }
  }

  private static @Nullable String value(@Nullable Properties info, String name) {
    return info == null ? null : info.getProperty(name);
  }

  @FunctionalInterface
  private interface Info {
    @Nullable Properties of(String section);
  }
}
