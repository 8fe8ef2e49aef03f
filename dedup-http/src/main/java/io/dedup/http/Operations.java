// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Knows how each handler is guarded. Thread-safe. */
final class Operations {

  private final HttpOptions options;
  private final OperationReader reader;
  private final Operation unannotated;
  private final List<PathPattern> include;
  private final List<PathPattern> exclude;
  private final ConcurrentMap<Method, Optional<Operation>> annotated = new ConcurrentHashMap<>();
  private final ConcurrentMap<Method, Boolean> streams = new ConcurrentHashMap<>();

  Operations(HttpOptions options, OperationReader reader) {
    this.options = options;
    this.reader = reader;
    this.unannotated = reader.unannotated();
    this.include = patterns("include", options.include());
    this.exclude = patterns("exclude", options.exclude());
  }

  /** Returns how a request to {@code handler} is guarded, null if it is not. */
  @Nullable Operation of(Object handler, String method, PathContainer path) {
    return options.methods().contains(method) ? of(handler, path) : null;
  }

  /** Returns how a handler at a path, or at a pattern taken for one, is guarded. */
  @Nullable Operation of(Object handler, PathContainer path) {
    if (matches(exclude, path)) {
      return null;
    }
    Operation own = handler instanceof HandlerMethod method ? annotated(method) : null;
    return own == null && matches(include, path) ? unannotated : own;
  }

  /**
   * Reads the annotation of a handler, or of its class.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  private @Nullable Operation annotated(HandlerMethod handler) {
    return annotated
        .computeIfAbsent(handler.getMethod(), m -> Optional.ofNullable(read(handler)))
        .orElse(null);
  }

  private @Nullable Operation read(HandlerMethod handler) {
    IdempotentRequest annotation = handler.getMethodAnnotation(IdempotentRequest.class);
    if (annotation == null) {
      annotation =
          AnnotatedElementUtils.findMergedAnnotation(
              handler.getBeanType(), IdempotentRequest.class);
    }
    return annotation == null ? null : reader.read(annotation);
  }

  /** Returns whether the response of a handler is sent while it is made. */
  boolean streams(Object handler) {
    return handler instanceof HandlerMethod method
        && streams.computeIfAbsent(method.getMethod(), m -> StreamedTypes.streams(handler));
  }

  /** Returns whether the key is claimed by the advisor, behind method security. */
  static boolean claimsInAdvisor(Operation operation, Method method, Class<?> type) {
    return switch (operation.claimPoint()) {
      case PRE_HANDLE -> false;
      case ADVISOR -> true;
      case AUTO -> MethodSecurity.checksBefore(method, type);
    };
  }

  private static boolean matches(List<PathPattern> patterns, PathContainer path) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(path));
  }

  static List<PathPattern> patterns(String name, Collection<String> texts) {
    return texts.stream().map(text -> pattern(name, text)).toList();
  }

  private static PathPattern pattern(String name, String text) {
    try {
      return PathPatternParser.defaultInstance.parse(text);
    } catch (PatternParseException e) {
      throw new IllegalArgumentException(
          name + ": was '" + text + "', must be a path pattern: " + e.getMessage(), e);
    }
  }
}
