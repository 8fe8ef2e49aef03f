// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.StringUtils;

/**
 * Looks for what an expression refers to and what is not there, as far as types tell. What a call
 * would find out, the start does.
 */
record ReferenceCheck(String text, Parameters parameters) {

  /**
   * Checks a parsed expression.
   *
   * @throws IllegalArgumentException if it refers to what is not there
   */
  void check(SpelNode node) {
    check(node, false);
  }

  private void check(SpelNode node, boolean hasRoot) {
    if (node instanceof TypeReference
        || node instanceof BeanReference
        || node instanceof ConstructorReference
        || node instanceof FunctionReference) {
      throw refused("must use the parameters alone: no types, beans, constructors or functions");
    }
    if (node instanceof VariableReference variable) {
      checkVariable(variable, hasRoot);
    }
    boolean ofRoot = node instanceof PropertyOrFieldReference || node instanceof MethodReference;
    if (ofRoot && !hasRoot) {
      throw refused(
          "must begin with a parameter: '" + node.toStringAST() + "' is of nothing, add a #");
    }
    if (node instanceof CompoundExpression) {
      checkChain(node);
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      check(node.getChild(i), hasRootWithin(node, i, hasRoot));
    }
  }

  private static boolean hasRootWithin(SpelNode node, int child, boolean hasRoot) {
    if (node instanceof CompoundExpression) {
      return child > 0 || hasRoot;
    }
    // Of each element; and the name in #map[name] is a key.
    boolean ofElement =
        node instanceof Projection || node instanceof Selection || node instanceof Indexer;
    return ofElement || (hasRoot && !(node instanceof MethodReference));
  }

  private void checkVariable(VariableReference variable, boolean hasRoot) {
    String name = variable.toStringAST().substring(1);
    boolean element = hasRoot && name.equals("this");
    if (!element && parameters.type(name) == null) {
      throw refused(
          "must refer to a parameter, one of "
              + parameters.byName().keySet()
              + (parameters.named() ? "" : "; names are known if compiled with -parameters"));
    }
  }

  /** Goes from property to property as long as the types tell what there is. */
  private void checkChain(SpelNode chain) {
    if (!(chain.getChild(0) instanceof VariableReference first)) {
      return;
    }
    ResolvableType type = parameters.type(first.toStringAST().substring(1));
    for (int i = 1; i < chain.getChildCount() && type != null; i++) {
      Class<?> owner = type.resolve();
      if (owner == null || owner == Object.class || Map.class.isAssignableFrom(owner)) {
        return;
      }
      SpelNode link = chain.getChild(i);
      if (link instanceof PropertyOrFieldReference property) {
        type = property(type, owner, property.getName());
      } else if (link instanceof MethodReference method) {
        type = method(owner, method.getName());
      } else {
        return;
      }
    }
  }

  private @Nullable ResolvableType property(ResolvableType type, Class<?> owner, String name) {
    if (owner.isArray()) {
      return null;
    }
    String capital = StringUtils.capitalize(name);
    Optional<Method> getter =
        Arrays.stream(owner.getMethods())
            .filter(m -> m.getParameterCount() == 0 && !Modifier.isStatic(m.getModifiers()))
            .filter(
                m ->
                    m.getName().equals("get" + capital)
                        || m.getName().equals("is" + capital)
                        || m.getName().equals("get" + name)
                        || m.getName().equals(name))
            .findFirst();
    if (getter.isPresent()) {
      return ResolvableType.forMethodReturnType(getter.get(), type.toClass());
    }
    if (Arrays.stream(owner.getFields()).noneMatch(f -> f.getName().equals(name))) {
      throw refused("must refer to what is there: " + owner.getName() + " has no '" + name + "'");
    }
    return null;
  }

  private @Nullable ResolvableType method(Class<?> owner, String name) {
    boolean there =
        Stream.of(owner, Object.class)
            .flatMap(one -> Arrays.stream(one.getMethods()))
            .anyMatch(m -> m.getName().equals(name));
    if (!there) {
      throw refused(
          "must refer to what is there: " + owner.getName() + " has no method '" + name + "'");
    }
    return null;
  }

  private IllegalArgumentException refused(String what) {
    return new IllegalArgumentException("key: was '" + text + "', " + what);
  }
}
