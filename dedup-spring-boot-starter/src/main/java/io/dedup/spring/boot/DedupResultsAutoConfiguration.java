// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.ResultStore;
import io.dedup.claim.StoreTime;
import io.dedup.jdbc.JdbcResultStore;
import io.dedup.jdbc.JdbcSchema;
import io.dedup.jdbc.PurgeSchedule;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Keeps answers that are too large for the record of their key. */
@AutoConfiguration(after = {DedupAutoConfiguration.class, DedupJdbcAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "dedup.enabled", matchIfMissing = true)
public final class DedupResultsAutoConfiguration {

  /** Made by Boot. */
  DedupResultsAutoConfiguration() {}

  @Bean
  KeptResults dedupKeptResults(DedupProperties properties, ObjectProvider<ResultStore> store) {
    return new KeptResults(properties.results(), store.getIfAvailable());
  }

  /** What needs a database. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "dedup.results.store", havingValue = "jdbc")
  @ConditionalOnClass({JdbcResultStore.class, DataSourceUtils.class})
  @ConditionalOnBean(DataSource.class)
  @ConditionalOnMissingBean(ResultStore.class)
  static class Jdbc {

    /** After Flyway and its like, which may make the table. */
    @Bean
    @DependsOnDatabaseInitialization
    JdbcResultStore dedupJdbcResultStore(
        ListableBeanFactory beans, DedupProperties properties, ObjectProvider<StoreTime> time) {
      DedupProperties.Results results = properties.results();
      DataSource dataSource = DedupJdbcAutoConfiguration.dataSource(beans, properties);
      JdbcSchema schema;
      JdbcResultStore store;
      try {
        schema = JdbcSchema.ofResults(dataSource, results.table());
        store =
            JdbcResultStore.builder(dataSource)
                .table(results.table())
                .maxBytes(results.maxBytes())
                .queryTimeout(results.queryTimeout())
                .time(time.getIfAvailable(StoreTime::ofServer))
                .build();
      } catch (IllegalArgumentException e) {
        String message =
            String.valueOf(e.getMessage())
                .replace("queryTimeout", "query-timeout")
                .replace("maxBytes", "max-bytes");
        throw ConfigurationRefused.property("dedup.results." + message, "", e);
      }
      switch (results.schema()) {
        case CREATE -> schema.createIfMissing();
        case VALIDATE -> schema.validate();
        case NONE -> {}
      }
      return store;
    }

    @Bean
    PurgeLifecycle dedupResultsPurge(JdbcResultStore store, DedupProperties properties) {
      return new PurgeLifecycle(
          "dedup.results.purge",
          properties.results().purge(),
          () -> true,
          () -> PurgeSchedule.builder(store));
    }
  }
}
