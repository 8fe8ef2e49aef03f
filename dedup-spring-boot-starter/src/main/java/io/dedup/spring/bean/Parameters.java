// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationContext;

/**
 * The parameters of a method, by the names that expressions know them by. Immutable.
 *
 * @param byName the place of each, from 0
 * @param types of the parameters, in their order
 * @param named whether their own names are known
 */
record Parameters(Map<String, Integer> byName, ResolvableType[] types, boolean named) {

  static Parameters of(Method method, Class<?> bean) {
    Map<String, Integer> byName = new LinkedHashMap<>();
    int count = method.getParameterCount();
    ResolvableType[] types = new ResolvableType[count];
    String[] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
    for (int i = 0; i < count; i++) {
      types[i] = ResolvableType.forMethodParameter(method, i, bean);
      if (names != null) {
        byName.put(names[i], i);
      }
    }
    for (int i = 0; i < count; i++) {
      byName.putIfAbsent("a" + i, i);
      byName.putIfAbsent("p" + i, i);
    }
    return new Parameters(byName, types, names != null);
  }

  /** Returns the type of a parameter, null if there is none of that name. */
  @Nullable ResolvableType type(String name) {
    Integer place = byName.get(name);
    return place == null ? null : types[place];
  }

  void bind(EvaluationContext context, @Nullable Object[] arguments) {
    byName.forEach((name, place) -> context.setVariable(name, arguments[place]));
  }
}
