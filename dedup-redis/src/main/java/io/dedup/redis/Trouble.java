// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a driver's exception means. Redis says it in the first word of its error, which every
 * driver keeps somewhere in the chain of causes; what is not known here is {@link
 * StoreUnavailable}.
 */
final class Trouble {

  /**
   * What versions say: of a command, of a command within a script from 7 on, and of one before 7.
   */
  private static final List<String> NOT_ALLOWED =
      List.of("NOPERM", "ACL failure in script", "The user executing the script can't run");

  private static final List<String> NOT_LET_IN = List.of("NOAUTH", "WRONGPASS");

  private Trouble() {}

  /** Returns whether the node did not know the script, so nothing was executed. */
  static boolean isUnknownScript(RuntimeException e) {
    return says(e, "NOSCRIPT");
  }

  /**
   * Returns whether the slot is on the move and the node has some of the call's keys only, so
   * nothing was executed. A call with one key never meets this.
   */
  static boolean isSplitSlot(RuntimeException e) {
    return says(e, "TRYAGAIN");
  }

  /** Returns whether nothing was executed and there is another way to call. */
  static boolean isRefusal(RuntimeException e) {
    return isUnknownScript(e) || isSplitSlot(e);
  }

  /**
   * Returns the trouble that {@code e} is.
   *
   * @param what was asked
   */
  static StoreException of(String what, RuntimeException e) {
    if (e instanceof StoreException known) {
      return known;
    }
    for (String refusal : NOT_ALLOWED) {
      if (says(e, refusal)) {
        return new StoreMisconfigured(
            "Redis: "
                + what
                + ": the user may not do what our scripts do; it needs EVAL, EVALSHA"
                + " and the commands they call, on our keys ("
                + message(e, refusal)
                + ")",
            e);
      }
    }
    for (String refusal : NOT_LET_IN) {
      if (says(e, refusal)) {
        return new StoreMisconfigured(
            "Redis: " + what + ": the user was not let in (" + message(e, refusal) + ")", e);
      }
    }
    return new StoreUnavailable("Redis: " + what + ": " + innermost(e), e);
  }

  private static boolean says(Throwable e, String word) {
    return message(e, word) != null;
  }

  private static @Nullable String message(Throwable e, String word) {
    return causes(e)
        .map(Throwable::getMessage)
        .filter(message -> message != null && message.contains(word))
        .reduce((outer, inner) -> inner)
        .orElse(null);
  }

  private static String innermost(Throwable e) {
    return causes(e).reduce((outer, inner) -> inner).orElse(e).toString();
  }

  private static Stream<Throwable> causes(Throwable e) {
    return Stream.iterate(
        e, c -> c != null, (Throwable c) -> c.getCause() == c ? null : c.getCause());
  }
}
