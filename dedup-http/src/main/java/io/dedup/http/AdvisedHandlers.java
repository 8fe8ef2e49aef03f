// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMapping;

/** Knows the handlers whose keys are claimed by an advisor, on every stack. */
final class AdvisedHandlers {

  private AdvisedHandlers() {}

  static boolean match(Method method, Class<?> type) {
    IdempotentRequest annotation = find(IdempotentRequest.class, method, type);
    if (annotation != null && annotation.claimPoint() != ClaimPoint.AUTO) {
      return annotation.claimPoint() == ClaimPoint.ADVISOR;
    }
    return AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)
        && MethodSecurity.checksBefore(method, type);
  }

  private static <A extends Annotation> @Nullable A find(
      Class<A> annotation, Method method, Class<?> type) {
    A onMethod = AnnotatedElementUtils.findMergedAnnotation(method, annotation);
    return onMethod == null
        ? AnnotatedElementUtils.findMergedAnnotation(type, annotation)
        : onMethod;
  }
}
