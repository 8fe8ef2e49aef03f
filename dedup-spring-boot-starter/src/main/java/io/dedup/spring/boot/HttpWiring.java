// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.http.IdempotentRequests;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Puts the parts where Spring MVC looks for them.
 *
 * @param requests has the parts
 */
record HttpWiring(IdempotentRequests requests) implements WebMvcConfigurer {

  /** The last one: whom another interceptor refuses claims no key. */
  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(requests.interceptor()).order(Ordered.LOWEST_PRECEDENCE);
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(requests.argumentResolver());
  }

  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    resolvers.add(0, requests.exceptionResolver());
  }
}
