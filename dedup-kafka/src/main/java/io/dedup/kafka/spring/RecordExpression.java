// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** Takes the id from what an expression over the record gives. Checked when it is made. */
record RecordExpression(String text, SpelExpression expression)
    implements KeyExtractor<ConsumerRecord<?, ?>> {

  private static final Set<String> VARIABLES =
      new TreeSet<>(Set.of("#value", "#key", "#headers", "#topic"));

  private static final PropertyAccessor[] ACCESSORS = {
    new MapAccessor(false), DataBindingPropertyAccessor.forReadOnlyAccess()
  };

  static RecordExpression parse(String whole, String text) {
    SpelExpression parsed;
    try {
      parsed = new SpelExpressionParser().parseRaw(text);
    } catch (ParseException | IllegalStateException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "key: was '" + whole + "', must be 'spel:' and an expression: " + e.getMessage(), e);
    }
    checkVariables(whole, parsed.getAST());
    return new RecordExpression(text, parsed);
  }

  private static void checkVariables(String whole, SpelNode node) {
    if (node instanceof VariableReference && !VARIABLES.contains(node.toStringAST())) {
      throw new IllegalArgumentException(
          "key: was '"
              + whole
              + "', has "
              + node.toStringAST()
              + ", must refer to nothing but "
              + VARIABLES);
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      checkVariables(whole, node.getChild(i));
    }
  }

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    EvaluationContext context =
        SimpleEvaluationContext.forPropertyAccessors(ACCESSORS).withInstanceMethods().build();
    context.setVariable("value", record.value());
    context.setVariable("key", record.key());
    context.setVariable("headers", new HeaderTexts(record));
    context.setVariable("topic", record.topic());
    @Nullable Object value;
    try {
      value = expression.getValue(context);
    } catch (SpelEvaluationException e) {
      // Its message may quote the record.
      return new ExtractedId.Unreadable(describe(), "cannot be evaluated: " + e.getMessageCode());
    } catch (EvaluationException | IllegalStateException e) {
      return new ExtractedId.Unreadable(describe(), "cannot be evaluated: " + e.getClass());
    }
    return KeyExtractors.id(describe(), value);
  }

  @Override
  public String describe() {
    return "spel:" + text;
  }
}
