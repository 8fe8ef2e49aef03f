// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static io.dedup.spring.boot.StoreKind.JDBC;
import static io.dedup.spring.boot.StoreKind.MEMORY;
import static io.dedup.spring.boot.StoreKind.REDIS;
import static io.dedup.spring.boot.StoreKind.TIERED;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which store is used. The only one there is needs not be named; of two, one must be: to
 * guess would mean that a dependency that is added for a cache moves every key elsewhere.
 */
final class StoreChoice {

  private static final String ADD_REDIS =
      "add spring-boot-starter-data-redis and set spring.data.redis.*";
  private static final String ADD_JDBC =
      "add spring-boot-starter-jdbc and a driver, and set spring.datasource.*";

  private StoreChoice() {}

  /**
   * Returns the store to use.
   *
   * @param wanted what the configuration says, null for nothing
   * @param there what the application has: redis, jdbc, both or none
   * @throws ConfigurationRefused if that does not decide it
   */
  static StoreKind choose(@Nullable StoreKind wanted, Set<StoreKind> there) {
    if (wanted == null) {
      return onlyOne(there);
    }
    if (wanted == MEMORY) {
      return wanted;
    }
    Set<StoreKind> needed = wanted == TIERED ? Set.of(REDIS, JDBC) : Set.of(wanted);
    if (!there.containsAll(needed)) {
      throw lacking(wanted, needed, there);
    }
    return wanted;
  }

  private static StoreKind onlyOne(Set<StoreKind> there) {
    if (there.isEmpty()) {
      throw new ConfigurationRefused(
          "dedup.store: was not set, and the application has no RedisConnectionFactory and no"
              + " DataSource to keep claims in.",
          "For Redis, "
              + ADD_REDIS
              + ". For SQL, "
              + ADD_JDBC
              + ". For tests, set dedup.store=memory, which forgets when the process ends. To do"
              + " without, set dedup.enabled=false.",
          null);
    }
    if (there.size() > 1) {
      throw new ConfigurationRefused(
          "dedup.store: was not set, must be redis, jdbc or tiered: the application has both a"
              + " RedisConnectionFactory and a DataSource.",
          "Set dedup.store=redis to keep claims in Redis, jdbc to keep them in the database, or"
              + " tiered to let the database decide with Redis in front of it.",
          null);
    }
    return there.iterator().next();
  }

  private static ConfigurationRefused lacking(
      StoreKind wanted, Set<StoreKind> needed, Set<StoreKind> there) {
    boolean redis = needed.contains(REDIS) && !there.contains(REDIS);
    boolean jdbc = needed.contains(JDBC) && !there.contains(JDBC);
    String lacks =
        redis ? "a RedisConnectionFactory" + (jdbc ? " and a DataSource" : "") : "a DataSource";
    String remedy = redis ? ADD_REDIS + (jdbc ? "; " + ADD_JDBC : "") : ADD_JDBC;
    return new ConfigurationRefused(
        "dedup.store: was "
            + wanted.name().toLowerCase(Locale.ROOT)
            + ", must be one that the application can connect to: it has not "
            + lacks
            + ".",
        "Either " + remedy + ", or choose another store.",
        null);
  }
}
