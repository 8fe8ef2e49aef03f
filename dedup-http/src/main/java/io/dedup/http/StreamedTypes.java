// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.web.method.HandlerMethod;

/** Knows which handlers have their responses sent while they are made, on every stack. */
final class StreamedTypes {

  /** By name: an application of one stack has not the classes of the other. */
  private static final Set<String> STREAMS =
      Set.of(
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.SseEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  private static final List<Class<?>> WRAPPERS =
      List.of(HttpEntity.class, Callable.class, CompletionStage.class);

  private static final Set<String> NAMED_WRAPPERS =
      Set.of(
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.context.request.async.DeferredResult");

  private StreamedTypes() {}

  /** Returns whether a handler's response is sent while it is made. */
  static boolean streams(Object handler) {
    return handler instanceof HandlerMethod method
        && streams(ResolvableType.forMethodReturnType(method.getMethod()));
  }

  private static boolean streams(ResolvableType type) {
    Class<?> raw = type.resolve(Object.class);
    if (isNamed(raw, STREAMS)) {
      return true;
    }
    ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw);
    if (adapter != null && adapter.isMultiValue()) {
      return true;
    }
    if (isNamed(raw, NAMED_WRAPPERS) && type.hasGenerics()) {
      return streams(type.getGeneric(0));
    }
    for (Class<?> wrapper : wrappers(adapter)) {
      if (wrapper.isAssignableFrom(raw) && type.as(wrapper).hasGenerics()) {
        return streams(type.as(wrapper).getGeneric(0));
      }
    }
    return false;
  }

  private static boolean isNamed(@Nullable Class<?> type, Set<String> names) {
    if (type == null) {
      return false;
    }
    if (names.contains(type.getName()) || isNamed(type.getSuperclass(), names)) {
      return true;
    }
    for (Class<?> face : type.getInterfaces()) {
      if (isNamed(face, names)) {
        return true;
      }
    }
    return false;
  }

  private static Collection<Class<?>> wrappers(@Nullable ReactiveAdapter adapter) {
    List<Class<?>> all = new ArrayList<>(WRAPPERS);
    if (adapter != null) {
      all.add(adapter.getReactiveType());
    }
    return all;
  }
}
