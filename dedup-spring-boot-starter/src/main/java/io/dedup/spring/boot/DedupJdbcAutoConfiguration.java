// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.JdbcSchema;
import io.dedup.jdbc.PurgeSchedule;
import io.dedup.key.KeyFormat;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Offers a store on the application's database, and the transactional inbox. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "dedup.enabled", matchIfMissing = true)
@ConditionalOnClass({JdbcClaimStore.class, DataSourceUtils.class})
@ConditionalOnBean(DataSource.class)
public final class DedupJdbcAutoConfiguration {

  /** Made by Boot. */
  DedupJdbcAutoConfiguration() {}

  /**
   * Not made unless it is chosen, or a topic is transactional. After Flyway and its like, which may
   * make the table.
   */
  @Bean
  @Lazy
  @Fallback
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  JdbcClaimStore dedupJdbcClaimStore(
      ListableBeanFactory beans,
      DedupProperties properties,
      KeyFormat keyFormat,
      ObjectProvider<StoreTime> time) {
    DataSource dataSource = dataSource(beans, properties);
    DedupProperties.Jdbc jdbc = properties.jdbc();
    JdbcSchema schema;
    JdbcClaimStore store;
    try {
      schema = JdbcSchema.of(dataSource, jdbc.table());
      store =
          JdbcClaimStore.builder(dataSource)
              .table(jdbc.table())
              .queryTimeout(jdbc.queryTimeout())
              .keyFormat(keyFormat)
              .time(time.getIfAvailable(StoreTime::ofServer))
              .build();
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage()).replace("queryTimeout", "query-timeout");
      throw ConfigurationRefused.property("dedup.jdbc." + message, "", e);
    }
    switch (jdbc.schema()) {
      case CREATE -> schema.createIfMissing();
      case VALIDATE -> schema.validate();
      case NONE -> {}
    }
    return store;
  }

  @Bean
  @Lazy
  @Fallback
  @ConditionalOnMissingBean
  JdbcInbox dedupJdbcInbox(JdbcClaimStore store) {
    return JdbcInbox.of(store);
  }

  @Bean
  StoreOption dedupJdbcOption(
      ListableBeanFactory beans, DedupProperties properties, ObjectProvider<JdbcClaimStore> store) {
    return new StoreOption() {
      @Override
      public StoreKind kind() {
        return StoreKind.JDBC;
      }

      @Override
      public ClaimStore store() {
        return store.getObject();
      }

      @Override
      public ClaimStore inFrontOf(String identity) {
        throw new UnsupportedOperationException("a database decides, it is in front of nothing");
      }

      @Override
      public String identity() {
        String byHand = properties.jdbc().identity();
        return byHand == null ? store.getObject().identity() : byHand;
      }
    };
  }

  @Bean
  StoreInspection dedupJdbcInspection(ListableBeanFactory beans, DedupProperties properties) {
    return new StoreInspection() {
      @Override
      public StoreKind kind() {
        return StoreKind.JDBC;
      }

      @Override
      public Findings inspect() {
        String table = properties.jdbc().table();
        JdbcSchema.of(dataSource(beans, properties), table).validate();
        return new Findings(Map.of("table", table), List.of());
      }
    };
  }

  @Bean
  PurgeLifecycle dedupPurge(
      ObjectProvider<JdbcClaimStore> store,
      DedupProperties properties,
      StoreSelection selection,
      DedupTopics topics,
      Deduplicators deduplicators) {
    return new PurgeLifecycle(
        "dedup.jdbc.purge",
        properties.jdbc().purge(),
        () ->
            selection.uses(StoreKind.JDBC)
                || topics.anyTransactional()
                || deduplicators.anyTransactional(),
        () -> PurgeSchedule.builder(store.getObject()));
  }

  static DataSource dataSource(ListableBeanFactory beans, DedupProperties properties) {
    return BeanChoice.one(
        beans, DataSource.class, properties.jdbc().dataSource(), "dedup.jdbc.data-source");
  }
}
