// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Deduplicator;
import io.dedup.LargeResults;
import io.dedup.Policy;
import io.dedup.ResultCodec;
import io.dedup.spring.bean.CallDefaults;
import io.dedup.spring.bean.CallMode;
import io.dedup.spring.bean.CallParts;
import io.dedup.spring.bean.GuardedBeans;
import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import tools.jackson.databind.json.JsonMapper;

/** Guards the methods of beans that are annotated with {@code @Idempotent}. */
@AutoConfiguration(
    after = {
      DedupAutoConfiguration.class,
      DedupTransactionsAutoConfiguration.class,
      DedupResultsAutoConfiguration.class
    },
    afterName = "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration")
@ConditionalOnBooleanProperty(
    name = {"dedup.enabled", "dedup.beans.enabled"},
    matchIfMissing = true)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(DedupBeansAutoConfiguration.Proxies.class)
public final class DedupBeansAutoConfiguration {

  /** Made by Boot. */
  DedupBeansAutoConfiguration() {}

  /**
   * Made with the first bean that may be guarded, so it reaches for nothing else before a method is
   * called.
   */
  @Bean(destroyMethod = "close")
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static GuardedBeans dedupGuardedBeans(
      ConfigurableListableBeanFactory beans, Environment environment, DedupProperties properties) {
    DedupProperties.Beans settings = properties.beans();
    return new GuardedBeans(
        beans,
        new CallDefaults(
            CallMode.valueOf(settings.mode().name()),
            settings.onMissingKey(),
            settings.selfCalls()),
        new Parts(beans),
        environment::resolveRequiredPlaceholders);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Advisor dedupIdempotentAdvisor(GuardedBeans guarded) {
    return guarded.advisor();
  }

  /** The application's parts, asked for when they are needed. */
  private record Parts(ListableBeanFactory beans) implements CallParts {

    @Override
    public Deduplicator deduplicator(CallMode mode, String by) {
      return deduplicators().of(Mode.valueOf(mode.name()), by);
    }

    @Override
    public Deduplicator deduplicator(String beanName, String by) {
      return deduplicators().of(beanName, by);
    }

    private Deduplicators deduplicators() {
      return beans.getBean(Deduplicators.class);
    }

    @Override
    public ResultCodec<?> codec(String beanName, String by) {
      return BeanChoice.one(beans, ResultCodec.class, beanName, by);
    }

    @Override
    public LargeResults largeResults(Policy policy) {
      return beans.getBean(KeptResults.class).of(policy);
    }

    @Override
    public JsonMapper mapper() {
      ObjectProvider<JsonMapper> own = beans.getBeanProvider(JsonMapper.class);
      return own.getIfUnique(JsonMapper::shared);
    }
  }

  /** Has proxies made, also in an application that has no other use for them. */
  static final class Proxies implements ImportBeanDefinitionRegistrar, EnvironmentAware {

    private boolean ofClasses = true;

    @Override
    public void setEnvironment(Environment environment) {
      ofClasses = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
    }

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
      if (ofClasses) {
        AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
      }
    }
  }
}
