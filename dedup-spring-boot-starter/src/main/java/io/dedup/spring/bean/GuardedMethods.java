// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Delivery;
import io.dedup.OnMissingKey;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/** Reads the annotations of classes, each once. Thread-safe. */
final class GuardedMethods {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedMethods.class);
  private static final String MAPPED = "org.springframework.web.bind.annotation.RequestMapping";
  private static final String REQUEST = "io.dedup.http.IdempotentRequest";

  private final CallDefaults defaults;
  private final GuardedMethod.Texts texts;
  private final ConcurrentMap<Class<?>, Map<Method, GuardedMethod>> known =
      new ConcurrentHashMap<>();

  GuardedMethods(CallDefaults defaults, GuardedMethod.Texts texts) {
    this.defaults = defaults;
    this.texts = texts;
  }

  /**
   * Returns the guarded methods of a class of beans.
   *
   * @throws GuardRefused if one cannot be guarded as its annotation says
   */
  Map<Method, GuardedMethod> of(Class<?> type) {
    Class<?> user = ClassUtils.getUserClass(type);
    return known.computeIfAbsent(user, this::read);
  }

  /** Returns how a call to a bean of a class is guarded, null if it is not. */
  @Nullable GuardedMethod find(Method method, Class<?> type) {
    Map<Method, GuardedMethod> guarded = of(type);
    return guarded.isEmpty()
        ? null
        : guarded.get(AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(type)));
  }

  private Map<Method, GuardedMethod> read(Class<?> type) {
    if (!AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
      return Map.of();
    }
    Map<Method, Idempotent> annotated =
        MethodIntrospector.selectMethods(
            type,
            (Method method) ->
                AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class));
    Map<Method, GuardedMethod> guarded = new HashMap<>();
    annotated.forEach(
        (method, annotation) -> {
          if (!method.isBridge() && !isLeftToHttp(method, type)) {
            guarded.put(method, read(type, method, annotation));
          }
        });
    return Map.copyOf(guarded);
  }

  private static boolean isLeftToHttp(Method method, Class<?> type) {
    MergedAnnotations onMethod = annotations(method);
    if (!onMethod.isPresent(MAPPED)) {
      return false;
    }
    boolean request =
        onMethod.isPresent(REQUEST)
            || MergedAnnotations.from(type, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
                .isPresent(REQUEST);
    if (!request) {
      throw GuardRefused.of(
          method,
          "was on a handler of HTTP requests, must be @IdempotentRequest there",
          "Use @IdempotentRequest, or guard a method that the handler calls.",
          null);
    }
    LOG.warn("@IdempotentRequest alone applies to {}", GuardRefused.text(method));
    return true;
  }

  private static MergedAnnotations annotations(Method method) {
    return MergedAnnotations.from(method, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY);
  }

  private GuardedMethod read(Class<?> type, Method method, Idempotent annotation) {
    checkReachable(method);
    OnMissingKey[] onMissingKey = annotation.onMissingKey();
    CallMode[] mode = annotation.mode();
    String scope = texts.resolve(annotation.scope());
    String label = ClassUtils.getShortName(type) + "." + method.getName();
    try {
      ReturnKind kind = kind(method);
      return new GuardedMethod(
          method,
          annotation,
          texts,
          KeyExpression.parse(texts.resolve(annotation.key()), Parameters.of(method, type)),
          scope.isEmpty() ? type.getName() + "." + GuardRefused.signature(method) : scope,
          label.substring(0, Math.min(label.length(), Delivery.LABEL_MAX)),
          mode.length == 0 ? defaults.mode() : mode[0],
          onMissingKey.length == 0 ? defaults.onMissingKey() : onMissingKey[0],
          kind,
          kind.valueOf(method, type),
          GuardedMethod.contextAt(method));
    } catch (IllegalArgumentException e) {
      throw GuardRefused.of(
          method, String.valueOf(e.getMessage()), "Change what the annotation says.", e);
    }
  }

  private static ReturnKind kind(Method method) {
    try {
      return ReturnKind.of(method);
    } catch (IllegalArgumentException e) {
      throw GuardRefused.of(
          method, "returned type: " + e.getMessage(), "Change the method's return type.", e);
    }
  }

  /** What no proxy can stand in front of would run unguarded. */
  private static void checkReachable(Method method) {
    int modifiers = method.getModifiers();
    String wrong =
        Modifier.isStatic(modifiers)
            ? "static"
            : Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isFinal(modifiers) ? "final" : null;
    if (wrong != null) {
      throw GuardRefused.of(
          method,
          "was " + wrong + ", must be a method that a proxy can override",
          "Remove the modifier, or move the method to another bean.",
          null);
    }
  }
}
