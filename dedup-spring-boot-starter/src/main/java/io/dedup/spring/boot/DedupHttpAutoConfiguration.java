// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Deduplicator;
import io.dedup.LargeResults;
import io.dedup.claim.ClaimStore;
import io.dedup.http.CallerResolver;
import io.dedup.http.HttpListener;
import io.dedup.http.IdempotentRequests;
import io.dedup.http.OnReplay;
import io.dedup.http.TenantResolver;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Guards the requests to a Spring MVC application.
 *
 * <p>Beans of the types {@link TenantResolver}, {@link CallerResolver}, {@link HttpListener} and
 * {@link LargeResults} are used; those of type {@link OnReplay} are what annotations name.
 */
@AutoConfiguration(after = {DedupAutoConfiguration.class, DedupMetricsAutoConfiguration.class})
@ConditionalOnBooleanProperty(
    name = {"dedup.enabled", "dedup.http.enabled"},
    matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({WebMvcConfigurer.class, Filter.class})
public final class DedupHttpAutoConfiguration {

  static final String FILTER = "dedupIdempotencyFilter";

  /** Made by Boot. */
  DedupHttpAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  IdempotentRequests dedupIdempotentRequests(
      Deduplicator deduplicator,
      ClaimStore store,
      DedupProperties properties,
      ListableBeanFactory beans,
      ObjectProvider<TenantResolver> tenants,
      ObjectProvider<CallerResolver> callers,
      ObjectProvider<LargeResults> largeResults,
      ObjectProvider<HttpListener> listeners) {
    HttpProperties http = properties.http();
    IdempotentRequests.Builder builder =
        IdempotentRequests.builder(deduplicator).options(HttpSettings.options(http));
    if (FilterPlace.hasSecurity(beans)) {
      builder.behindSecurity();
    }
    if (http.token().enabled()) {
      builder.tokens(HttpSettings.tokens(http.token()), store);
    }
    tenants.ifUnique(builder::tenants);
    callers.ifUnique(builder::callers);
    largeResults.ifUnique(builder::largeResults);
    listeners.orderedStream().forEach(builder::listener);
    beans.getBeansOfType(OnReplay.class).forEach(builder::onReplay);
    return HttpSettings.refusing("dedup.http.", builder::build);
  }

  /** Asks for the requests when the first one comes: advisors are made before all other beans. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Advisor dedupIdempotencyAdvisor(ObjectProvider<IdempotentRequests> requests) {
    return IdempotentRequests.advisor(requests::getObject);
  }

  @Bean(FILTER)
  @ConditionalOnMissingBean(name = FILTER)
  FilterRegistrationBean<Filter> dedupIdempotencyFilter(
      IdempotentRequests requests, DedupProperties properties) {
    FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>(requests.filter());
    filter.setName(FILTER);
    filter.setOrder(properties.http().filterOrder());
    filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
    return filter;
  }

  @Bean
  SmartInitializingSingleton dedupFilterPlaceCheck(ListableBeanFactory beans) {
    return () -> FilterPlace.check(beans);
  }

  @Bean
  WebMvcConfigurer dedupWebMvcConfigurer(IdempotentRequests requests) {
    return new HttpWiring(requests);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("dedup.http.token.enabled")
  static class TokenEndpoint {
    @Bean
    @ConditionalOnMissingBean(name = "dedupTokenRoutes")
    RouterFunction<ServerResponse> dedupTokenRoutes(IdempotentRequests requests) {
      return requests.tokenRoutes();
    }
  }
}
