// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/** What is never broken, in any state of any small world. */
enum Invariant {
  ONE_OWNER("of all claims that anybody believes to hold, one at most can settle"),
  STALE_SETTLEMENT_CHANGES_NOTHING("a settlement of a claim that is not the newest is fenced"),
  NEWEST_CLAIM_SETTLES("the newest claim can settle, also after its lease, while its record lives"),
  SETTLED_ONCE("what is settled is not settled otherwise by the same claim"),
  RESEND_SAME_ANSWER("the same request, sent again, gives the same answer"),
  CLAIM_ID_WORKS_ONCE("a claim id that has settled its key does not get it again"),
  LATE_CLAIM_DOES_NOTHING("a claim that arrives after its time does nothing"),
  TOKENS_GROW("each new claim has a larger token than all before it"),
  TOKEN_ABOVE_FLOOR("a new claim's token is above all that its worker has seen"),
  LEASE_IS_RESPECTED("nobody gets a key whose lease, or back-off, is running"),
  LEASE_IS_GIVEN("who gets a key has a whole lease from now, or what is left of the one it had"),
  FREE_KEY_IS_GIVEN("who asks for a key that is free, or whose lease is over, gets it"),
  DONE_STAYS_DONE("what is done stays done until it expires, is forced, reopened or forgotten"),
  DONE_MEANS_EFFECT("nobody hears that an effect is done that was not done"),
  RECORD_IS_KEPT("a record is kept as long as was asked, one in progress longer than its lease"),
  DOUBT_IS_HELD("where doubt is held, nobody gets a key whose handler may have started"),
  FAILURE_IS_REPORTED("where failures are reported, nobody gets a key that failed"),
  OTHER_MESSAGE_CONFLICTS("a key in use for one message is not given to another"),
  ONLY_ISSUED_KEYS("a key that must be handed out is not given before it was"),
  ONCE_PER_ORIGIN("one origin forces a key that is done once"),
  ATTEMPTS_COUNT_STARTS("attempts count the starts since the last answered settlement"),
  TAKEOVER_IS_TOLD("who gets a key is told whether one before may have started and never settled"),
  OPERATOR_IS_HEARD("an operator settles and reopens what no live claim has, and nothing else"),
  NOTHING_ELSE_CHANGES("a refusal changes nothing, and a record is what the last answer said"),
  ONE_EFFECT_IN_CALM("while no lease runs out and nothing is forgotten, there is one effect"),
  ONE_EFFECT_UNDER_HOLD("where doubt is held, there is one effect, unless an operator says so"),
  ONE_EFFECT_UNDER_PROBE("where a probe is asked, nobody repeats an effect done before its claim");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  /** Ends the walk if {@code holds} is false. */
  void check(boolean holds, Object found) {
    if (!holds) {
      throw new Broken(this, String.valueOf(found));
    }
  }

  @Override
  public String toString() {
    return name() + " (" + sentence + ")";
  }

  /** A state in which an invariant does not hold. */
  static final class Broken extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Invariant invariant;

    Broken(Invariant invariant, String found) {
      super(invariant + ": " + found, null, false, false);
      this.invariant = invariant;
    }

    Invariant invariant() {
      return invariant;
    }
  }
}
