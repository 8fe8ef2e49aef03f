// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.security.Principal;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import tools.jackson.databind.JsonNode;

/** An expression over a request, checked when it is made. Thread-safe. */
final class RequestExpression {

  private static final Set<String> VARIABLES =
      new TreeSet<>(Set.of("header", "path", "query", "principal", "tenant", "body"));

  /** Reads properties and calls methods of what is there; knows no types and no beans. */
  private static final PropertyAccessor[] ACCESSORS = {
    new MapAccessor(false), new JsonAccessor(), DataBindingPropertyAccessor.forReadOnlyAccess()
  };

  private final String text;
  private final SpelExpression expression;

  private RequestExpression(String text, SpelExpression expression) {
    this.text = text;
    this.expression = expression;
  }

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException if it cannot be parsed, or refers to what is not there
   */
  static RequestExpression parse(String name, String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(name + ": was blank, must be an expression");
    }
    SpelExpression parsed;
    try {
      parsed = new SpelExpressionParser().parseRaw(text);
    } catch (ParseException | IllegalStateException e) {
      throw new IllegalArgumentException(name + ": was '" + text + "', must be an expression", e);
    }
    checkVariables(name, text, parsed.getAST());
    return new RequestExpression(text, parsed);
  }

  private static void checkVariables(String name, String text, SpelNode node) {
    if (node instanceof VariableReference reference) {
      String variable = reference.toStringAST().substring(1);
      // #this and #root are the language's own, and refer to nothing here.
      if (!VARIABLES.contains(variable)) {
        throw new IllegalArgumentException(
            name + ": was '" + text + "', must refer to nothing but " + VARIABLES);
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      checkVariables(name, text, node.getChild(i));
    }
  }

  /** Returns the text it was parsed from. */
  String text() {
    return text;
  }

  /**
   * Returns the value as text, null if it is null, blank, no single value, or cannot be told for
   * this request.
   */
  @Nullable String single(RequestValues values) {
    Object value = value(values);
    if (value instanceof JsonNode node) {
      value = node.isValueNode() && !node.isNull() ? node.asString() : null;
    }
    if (value instanceof Principal principal) {
      value = principal.getName();
    }
    boolean isText = value instanceof CharSequence || value instanceof Number;
    String found = isText || value instanceof Boolean ? String.valueOf(value) : null;
    return found == null || found.isBlank() ? null : found;
  }

  /** Returns the value as text, whatever it is; null if it is null or cannot be told. */
  @Nullable String whole(RequestValues values) {
    Object value = value(values);
    return value == null ? null : value.toString();
  }

  private @Nullable Object value(RequestValues values) {
    EvaluationContext context =
        SimpleEvaluationContext.forPropertyAccessors(ACCESSORS).withInstanceMethods().build();
    context.setVariable("header", values.header());
    context.setVariable("path", values.path());
    context.setVariable("query", values.query());
    context.setVariable("principal", values.principal());
    context.setVariable("tenant", values.tenant());
    if (text.contains("#body")) {
      context.setVariable("body", values.body().get());
    }
    try {
      return expression.getValue(context);
    } catch (EvaluationException e) {
      return null;
    }
  }

  /** Lets {@code #body.order.number} read members of JSON objects. */
  private static final class JsonAccessor implements PropertyAccessor {
    @Override
    public Class<?>[] getSpecificTargetClasses() {
      return new Class<?>[] {JsonNode.class};
    }

    @Override
    public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
      return target instanceof JsonNode;
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
      JsonNode member = target instanceof JsonNode node ? node.get(name) : null;
      if (member == null || member.isNull()) {
        return TypedValue.NULL;
      }
      return new TypedValue(member.isValueNode() ? member.asString() : member);
    }

    @Override
    public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
      return false;
    }

    @Override
    public void write(
        EvaluationContext context, @Nullable Object target, String name, @Nullable Object value) {
      throw new UnsupportedOperationException("read only");
    }
  }
}
