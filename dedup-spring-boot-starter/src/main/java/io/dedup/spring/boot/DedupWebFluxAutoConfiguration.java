// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Deduplicator;
import io.dedup.LargeResults;
import io.dedup.claim.ClaimStore;
import io.dedup.http.HttpListener;
import io.dedup.http.OnReplay;
import io.dedup.http.ReactiveCallerResolver;
import io.dedup.http.ReactiveIdempotentRequests;
import io.dedup.http.ReactiveRequestsBuilder;
import io.dedup.http.ReactiveTenantResolver;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.WebFilter;

/**
 * Guards the requests to a Spring WebFlux application.
 *
 * <p>Beans of the types {@link ReactiveTenantResolver}, {@link ReactiveCallerResolver}, {@link
 * HttpListener} and {@link LargeResults} are used; those of type {@link OnReplay} are what
 * annotations name.
 */
@AutoConfiguration(after = {DedupAutoConfiguration.class, DedupMetricsAutoConfiguration.class})
@ConditionalOnBooleanProperty(
    name = {"dedup.enabled", "dedup.http.enabled"},
    matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
public final class DedupWebFluxAutoConfiguration {

  private static final String SECURITY =
      "org.springframework.security.web.server.WebFilterChainProxy";

  /** Made by Boot. */
  DedupWebFluxAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  ReactiveIdempotentRequests dedupReactiveRequests(
      Deduplicator deduplicator,
      ClaimStore store,
      DedupProperties properties,
      ListableBeanFactory beans,
      ObjectProvider<ReactiveTenantResolver> tenants,
      ObjectProvider<ReactiveCallerResolver> callers,
      ObjectProvider<LargeResults> largeResults,
      ObjectProvider<HttpListener> listeners) {
    HttpProperties http = properties.http();
    ReactiveRequestsBuilder builder =
        HttpSettings.refusing(
            "dedup.http.",
            () ->
                ReactiveIdempotentRequests.builder(deduplicator)
                    .threads(http.threads())
                    .filterOrder(http.filterOrder()));
    builder.options(HttpSettings.options(http));
    if (hasSecurity(beans)) {
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

  private static boolean hasSecurity(ListableBeanFactory beans) {
    ClassLoader loader = DedupWebFluxAutoConfiguration.class.getClassLoader();
    return ClassUtils.isPresent(SECURITY, loader)
        && beans.getBeanNamesForType(ClassUtils.resolveClassName(SECURITY, loader), true, false)
                .length
            > 0;
  }

  /** Asks for the requests when the first one comes: advisors are made before all other beans. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Advisor dedupReactiveAdvisor(ObjectProvider<ReactiveIdempotentRequests> requests) {
    return ReactiveIdempotentRequests.advisor(requests::getObject);
  }

  @Bean
  WebFilter dedupReactiveFilter(ReactiveIdempotentRequests requests) {
    return requests.webFilter();
  }

  @Bean
  HandlerAdapter dedupReactiveHandlerAdapter(ReactiveIdempotentRequests requests) {
    return requests.handlerAdapter();
  }

  @Bean
  WebFluxConfigurer dedupWebFluxConfigurer(ReactiveIdempotentRequests requests) {
    return new WebFluxConfigurer() {
      @Override
      public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(requests.argumentResolver());
      }
    };
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("dedup.http.token.enabled")
  static class TokenEndpoint {
    @Bean
    @ConditionalOnMissingBean(name = "dedupTokenRoutes")
    RouterFunction<ServerResponse> dedupTokenRoutes(ReactiveIdempotentRequests requests) {
      return requests.tokenRoutes();
    }
  }
}
