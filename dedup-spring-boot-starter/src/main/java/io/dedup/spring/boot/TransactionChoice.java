// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/**
 * Finds the transactions that handlers run in. An application with Kafka transactions has two
 * managers; the one of the database is meant. A wrong guess does no harm: whether it belongs to the
 * inbox is tried before it is used with it.
 */
final class TransactionChoice {

  private static final String PROPERTY = "dedup.jdbc.transaction-manager";

  private TransactionChoice() {}

  static PlatformTransactionManager choose(ListableBeanFactory beans, DedupProperties properties) {
    String name = properties.jdbc().transactionManager();
    if (name != null) {
      return BeanChoice.one(beans, PlatformTransactionManager.class, name, PROPERTY);
    }
    List<PlatformTransactionManager> all =
        beans.getBeanProvider(PlatformTransactionManager.class).orderedStream().toList();
    PlatformTransactionManager primary =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    return first(all, TransactionChoice::isOfDataSource)
        .or(() -> Optional.ofNullable(primary))
        .or(() -> first(all, manager -> !isOfKafka(manager)))
        .orElseGet(() -> all.get(0));
  }

  private static Optional<PlatformTransactionManager> first(
      List<PlatformTransactionManager> all, Predicate<PlatformTransactionManager> which) {
    return all.stream().filter(which).findFirst();
  }

  private static boolean isOfDataSource(PlatformTransactionManager manager) {
    return manager instanceof ResourceTransactionManager resource
        && resource.getResourceFactory() instanceof DataSource;
  }

  /** By name, since spring-kafka need not be there. */
  private static boolean isOfKafka(PlatformTransactionManager manager) {
    return manager.getClass().getName().startsWith("org.springframework.kafka.");
  }
}
