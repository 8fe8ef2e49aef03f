// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Deduplicator;
import io.dedup.Transactions;
import io.dedup.claim.ClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.SpringTransactions;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** Lets completions follow the application's transactions, or be part of them. */
@AutoConfiguration(
    after = {DedupJdbcAutoConfiguration.class, DedupRedisAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "dedup.enabled", matchIfMissing = true)
@ConditionalOnClass({
  SpringTransactions.class,
  PlatformTransactionManager.class,
  DataSourceUtils.class
})
@ConditionalOnBean(PlatformTransactionManager.class)
public final class DedupTransactionsAutoConfiguration {

  /** Made by Boot. */
  DedupTransactionsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  Transactions dedupTransactions(ListableBeanFactory beans, DedupProperties properties) {
    return SpringTransactions.of(TransactionChoice.choose(beans, properties));
  }

  /** What needs a database. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(DataSource.class)
  static class Inbox {

    @Bean(Deduplicators.TRANSACTIONAL)
    @Lazy
    @Fallback
    Deduplicator dedupTransactionalDeduplicator(
        DeduplicatorParts parts,
        StoreSelection selection,
        HotStores hot,
        JdbcInbox inbox,
        Transactions transactions,
        ObjectProvider<StoreMeasure> measure) {
      StoreMeasure meters = measure.getIfAvailable(() -> (name, store) -> store);
      ClaimStore database = selection.one(StoreKind.JDBC, meters);
      return transactional(
          parts, hot.around(StoreKind.JDBC, database), inbox, transactions, meters);
    }
  }

  /** What needs a Redis beside it. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(
      value = DataSource.class,
      type = "org.springframework.data.redis.connection.RedisConnectionFactory")
  static class Tiered {

    @Bean(Deduplicators.TIERED)
    @Lazy
    @Fallback
    Deduplicator dedupTieredDeduplicator(
        DeduplicatorParts parts,
        StoreSelection selection,
        HotStores hot,
        JdbcInbox inbox,
        Transactions transactions,
        ObjectProvider<StoreMeasure> measure) {
      StoreMeasure meters = measure.getIfAvailable(() -> (name, store) -> store);
      ClaimStore tiers = hot.around(StoreKind.TIERED, selection.tiered(meters));
      return transactional(parts, tiers, inbox, transactions, meters);
    }
  }

  private static Deduplicator transactional(
      DeduplicatorParts parts,
      ClaimStore store,
      JdbcInbox inbox,
      Transactions transactions,
      StoreMeasure meters) {
    TransactionalInbox.check(inbox, transactions);
    try {
      return parts
          .builder(store)
          .transactional(meters.measured("inbox", inbox), transactions)
          .build();
    } catch (IllegalArgumentException e) {
      // A policy that needs a lease.
      throw ConfigurationRefused.property("dedup.policy." + e.getMessage(), "", e);
    }
  }
}
