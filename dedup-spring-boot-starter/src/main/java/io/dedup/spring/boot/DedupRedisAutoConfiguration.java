// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.key.KeyFormat;
import io.dedup.redis.RedisClaimStore;
import io.dedup.redis.RedisLayout;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Offers a store on the Redis that the application connects to. */
@AutoConfiguration(
    afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "dedup.enabled", matchIfMissing = true)
@ConditionalOnClass({RedisClaimStore.class, RedisConnectionFactory.class})
@ConditionalOnBean(RedisConnectionFactory.class)
public final class DedupRedisAutoConfiguration {

  /** Made by Boot. */
  DedupRedisAutoConfiguration() {}

  /** Not made unless it is chosen: the application may have its Redis for something else. */
  @Bean
  @Lazy
  @Fallback
  @ConditionalOnMissingBean
  RedisClaimStore dedupRedisClaimStore(
      ListableBeanFactory beans,
      DedupProperties properties,
      KeyFormat keyFormat,
      ObjectProvider<StoreTime> time) {
    return store(beans, properties.redis(), "", keyFormat, time);
  }

  @Bean
  StoreOption dedupRedisOption(
      ListableBeanFactory beans,
      DedupProperties properties,
      KeyFormat keyFormat,
      ObjectProvider<StoreTime> time,
      ObjectProvider<RedisClaimStore> store) {
    return new StoreOption() {
      @Override
      public StoreKind kind() {
        return StoreKind.REDIS;
      }

      @Override
      public ClaimStore store() {
        return store.getObject();
      }

      @Override
      public ClaimStore inFrontOf(String identity) {
        if (properties.redis().layout() == DedupProperties.Redis.Layout.COMPACT) {
          throw ConfigurationRefused.property(
              "dedup.redis.layout: was compact, must be standard where Redis is in front of a"
                  + " database: it has to keep the tokens of what is done",
              "",
              null);
        }
        return DedupRedisAutoConfiguration.store(
            beans, properties.redis(), ":" + identity, keyFormat, time);
      }

      @Override
      public String identity() {
        return properties.redis().prefix();
      }
    };
  }

  private static RedisClaimStore store(
      ListableBeanFactory beans,
      DedupProperties.Redis redis,
      String suffix,
      KeyFormat keyFormat,
      ObjectProvider<StoreTime> time) {
    RedisClaimStore store;
    try {
      store =
          RedisClaimStore.builder(factory(beans, redis))
              .prefix(redis.prefix() + suffix)
              .keyFormat(keyFormat)
              .layout(RedisLayout.valueOf(redis.layout().name()))
              .time(time.getIfAvailable(StoreTime::ofServer))
              .build();
    } catch (IllegalArgumentException e) {
      throw ConfigurationRefused.property("dedup.redis." + e.getMessage(), "", e);
    }
    if (redis.verify()) {
      store.verify();
    }
    return store;
  }

  @Bean
  StoreInspection dedupRedisInspection(ListableBeanFactory beans, DedupProperties properties) {
    return new RedisInspection(() -> factory(beans, properties.redis()));
  }

  private static RedisConnectionFactory factory(
      ListableBeanFactory beans, DedupProperties.Redis redis) {
    return BeanChoice.one(
        beans,
        RedisConnectionFactory.class,
        redis.connectionFactory(),
        "dedup.redis.connection-factory");
  }
}
