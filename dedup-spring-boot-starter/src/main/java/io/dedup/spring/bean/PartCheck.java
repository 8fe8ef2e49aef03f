// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;

/**
 * Looks for a part that is null where an expression joins parts with {@code +}, which would make
 * the text "null" of it. Goes the way that the evaluation goes.
 *
 * @param state to evaluate parts with
 */
record PartCheck(ExpressionState state) {

  /** Returns whether anything is joined in an expression. */
  static boolean isNeeded(SpelNode node) {
    if (node instanceof OpPlus) {
      return true;
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      if (isNeeded(node.getChild(i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks an expression.
   *
   * @throws KeyTexts.PartMissing if a part is null
   */
  void check(SpelNode node) {
    if (node instanceof Ternary) {
      check(node.getChild(Boolean.TRUE.equals(value(node.getChild(0))) ? 1 : 2));
    } else if (node instanceof Elvis) {
      Object first = value(node.getChild(0));
      check(node.getChild(first == null || first.equals("") ? 1 : 0));
    } else if (!isOfElements(node)) {
      checkChildren(node);
    }
  }

  private void checkChildren(SpelNode node) {
    boolean joins = node instanceof OpPlus && node.getChildCount() == 2;
    for (int i = 0; i < node.getChildCount(); i++) {
      SpelNode child = node.getChild(i);
      check(child);
      if (joins && value(child) == null) {
        throw new KeyTexts.PartMissing();
      }
    }
  }

  private @Nullable Object value(SpelNode node) {
    return node.getValue(state);
  }

  /** What is in them has another root than the rest. */
  private static boolean isOfElements(SpelNode node) {
    return node instanceof Projection || node instanceof Selection || node instanceof Indexer;
  }
}
