// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Hands a {@link DedupContext} to handlers that ask for one; null for those without a claim. */
final class DedupContextResolver implements HandlerMethodArgumentResolver {

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == DedupContext.class;
  }

  @Override
  public @Nullable Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest servlet = request.getNativeRequest(HttpServletRequest.class);
    RequestExchange exchange = servlet == null ? null : RequestExchange.of(servlet);
    return exchange == null ? null : exchange.contextToCome();
  }
}
