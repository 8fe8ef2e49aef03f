// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * The effect is not known to be done; the outcome says why. Its cause is the handler's exception,
 * if that is why.
 */
public final class EffectNotDone extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Outcome<?> outcome;

  /** Makes the exception. */
  public EffectNotDone(Outcome<?> outcome) {
    super("effect not done: " + text(outcome));
    this.outcome = outcome;
    if (outcome instanceof Outcome.Failed<?> failed) {
      initCause(failed.cause());
    } else if (outcome instanceof Outcome.Indeterminate<?> indeterminate) {
      initCause(indeterminate.cause());
    }
  }

  /** What a handler answered may be nobody's business who reads a log. */
  private static String text(Outcome<?> outcome) {
    if (outcome instanceof Outcome.Fenced<?> fenced) {
      return "Fenced by " + fenced.current();
    }
    return outcome instanceof Outcome.Indeterminate<?> || outcome instanceof Outcome.Failed<?>
        ? outcome.getClass().getSimpleName()
        : outcome.toString();
  }

  /** Returns the outcome. */
  public Outcome<?> outcome() {
    return outcome;
  }
}
