// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.key.CompositeId;
import io.dedup.key.ExtractedId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** An expression over the parameters of a method, checked when it is made. Thread-safe. */
final class KeyExpression {

  private static final PropertyAccessor[] ACCESSORS = {
    new MapAccessor(false), DataBindingPropertyAccessor.forReadOnlyAccess()
  };
  private static final KeyTexts TEXTS = new KeyTexts();

  private final String text;
  private final SpelExpression expression;
  private final Parameters parameters;
  private final boolean joins;

  private KeyExpression(String text, SpelExpression expression, Parameters parameters) {
    this.text = text;
    this.expression = expression;
    this.parameters = parameters;
    this.joins = PartCheck.isNeeded(expression.getAST());
  }

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException if it cannot be parsed, or refers to what is not there
   */
  static KeyExpression parse(String text, Parameters parameters) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("key: was blank, must be an expression");
    }
    SpelExpression parsed;
    try {
      parsed = new SpelExpressionParser().parseRaw(text);
    } catch (ParseException | IllegalStateException e) {
      throw new IllegalArgumentException(
          "key: was '" + text + "', must be an expression: " + e.getMessage(), e);
    }
    new ReferenceCheck(text, parameters).check(parsed.getAST());
    return new KeyExpression(text, parsed, parameters);
  }

  /** Returns the id that a call's arguments make. */
  ExtractedId read(@Nullable Object[] arguments) {
    SimpleEvaluationContext context =
        SimpleEvaluationContext.forPropertyAccessors(ACCESSORS)
            .withInstanceMethods()
            .withTypeConverter(TEXTS)
            .withAssignmentDisabled()
            .build();
    parameters.bind(context, arguments);
    try {
      if (joins) {
        new PartCheck(new ExpressionState(context)).check(expression.getAST());
      }
      String id = id(expression.getValue(context));
      return id.isBlank() ? new ExtractedId.Missing(text) : new ExtractedId.Found(id);
    } catch (KeyTexts.PartMissing e) {
      return new ExtractedId.Missing(text);
    } catch (KeyTexts.NoText e) {
      return new ExtractedId.Unreadable(text, String.valueOf(e.getMessage()));
    } catch (SpelEvaluationException e) {
      // A null on the way, most of the time.
      return e.getCause() == null
          ? new ExtractedId.Missing(text)
          : new ExtractedId.Unreadable(text, e.getMessageCode().name());
    } catch (EvaluationException e) {
      return new ExtractedId.Unreadable(text, e.getClass().getSimpleName());
    }
  }

  private static String id(@Nullable Object value) {
    if (value instanceof Object[] array) {
      return joined(Arrays.asList(array));
    }
    return value instanceof Collection<?> several ? joined(several) : KeyTexts.of(value);
  }

  private static String joined(Collection<?> several) {
    if (several.isEmpty()) {
      throw new KeyTexts.PartMissing();
    }
    List<String> parts = new ArrayList<>();
    for (Object part : several) {
      String one = KeyTexts.of(part);
      if (one.isBlank()) {
        throw new KeyTexts.PartMissing();
      }
      parts.add(one);
    }
    return CompositeId.join(parts);
  }

  @Override
  public String toString() {
    return text;
  }
}
