// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Deduplicator;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ListableBeanFactory;

/** The application's deduplicators, one for each mode that can be. Thread-safe. */
public final class Deduplicators {

  static final String TRANSACTIONAL = "dedupTransactionalDeduplicator";
  static final String TIERED = "dedupTieredDeduplicator";

  private final ListableBeanFactory beans;
  private final Set<Mode> used = ConcurrentHashMap.newKeySet();

  Deduplicators(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the deduplicator of {@code mode}; it is closed with the application.
   *
   * @param by what asks for the mode, for the message: the name of a property
   * @throws ConfigurationRefused if the application lacks something that the mode needs
   */
  public Deduplicator of(Mode mode, String by) {
    Deduplicator deduplicator =
        switch (mode) {
          case LEASE -> BeanChoice.one(beans, Deduplicator.class, null, by);
          case TRANSACTIONAL -> named(TRANSACTIONAL, mode, by);
          case TIERED -> named(TIERED, mode, by);
        };
    used.add(mode);
    return deduplicator;
  }

  /** Returns the deduplicator that is a bean of that name, or refuses what asks for it. */
  Deduplicator of(String beanName, String by) {
    return BeanChoice.one(beans, Deduplicator.class, beanName, by);
  }

  /** Returns whether anybody has asked for transactions. */
  boolean anyTransactional() {
    return used.stream().anyMatch(Mode::isTransactional);
  }

  /** Returns whether anybody has asked for Redis in front. */
  boolean anyTiered() {
    return used.contains(Mode.TIERED);
  }

  private Deduplicator named(String name, Mode mode, String by) {
    if (!beans.containsBean(name)) {
      String needs =
          "a DataSource and its PlatformTransactionManager"
              + (mode == Mode.TIERED ? ", and a RedisConnectionFactory" : "");
      throw new ConfigurationRefused(
          by
              + ": was "
              + mode.name().toLowerCase(Locale.ROOT)
              + ", must be a mode that the application can run: this one needs "
              + needs
              + ".",
          "Add spring-boot-starter-jdbc (or -data-jpa) and a driver, and set spring.datasource.*"
              + (mode == Mode.TIERED
                  ? "; add spring-boot-starter-data-redis and set spring.data.redis.*"
                  : "")
              + "; or set mode=lease.",
          null);
    }
    return beans.getBean(name, Deduplicator.class);
  }
}
