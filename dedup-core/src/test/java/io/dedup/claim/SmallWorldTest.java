// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Explorer.Violation;
import io.dedup.claim.Explorer.Walk;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Walks every state that a few workers, one key and a clock can get into, over the real table and
 * the store in memory, and judges each answer and each state by the {@linkplain Invariant
 * invariants}.
 *
 * <p><b>How.</b> A {@link World} is one moment: the record, the clock, what each {@link Worker}
 * believes, and which commands were sent. Its {@linkplain Step steps} are all that can happen next:
 * somebody goes on with its program, the clock ticks, a message is lost or comes again, a worker
 * dies, a purge, a flush. Each step is done to the real store, which is put into the state first.
 * The {@link Ledger} knows only what was answered so far, and says which answer is {@linkplain Due
 * due}. The {@link Explorer} goes breadth-first until there is no new state, so a schedule that it
 * finds is a shortest one; how far the farthest state is from the beginning is the depth that it
 * reports.
 *
 * <p><b>Covered,</b> in the {@linkplain SmallWorlds worlds} together: two and three workers; leases
 * renewed in time, at their end and too late; pauses of any length at any point; requests and
 * answers lost, and sent again; late copies of every command, claims with and without an end;
 * deaths and redeliveries; expiry, purge and flush; RERUN, HOLD and PROBE, with starts recorded
 * with the claim, later, or not at all; a failing probe; failures with and without back-off, run
 * again and reported; equal and other fingerprints; forced claims; keys handed out; an operator;
 * sliding expiry.
 *
 * <p><b>Bounded:</b> each world says how many claims are made, how far the clock goes, and how many
 * troubles there are (pauses are free). What takes more of them to go wrong is not seen here.
 *
 * <p><b>Not covered:</b> more than one key, and batches; two commands at the very same time (a
 * store executes one after the other, which is its contract to prove); a clock that steps back,
 * except that a flush may take none of its time; {@code merge}, {@code extend}, {@code attach} and
 * {@code find}; what a worker does by its own clock; other stores, of which the contract proves
 * that they do as this one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SmallWorldTest {

  private int worlds;
  private long states;
  private long transitions;

  static List<Setting> worlds() {
    return SmallWorlds.all();
  }

  static List<BentRule> bentRules() {
    return Stream.of(
            BentClaims.all(),
            BentTokens.all(),
            BentStarts.all(),
            BentSettlements.all(),
            BentByHand.all(),
            BentWorkers.all())
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("worlds")
  void noStateBreaksAnInvariant(Setting world, TestReporter reporter) {
    Walk walk = new Explorer(world, Bench.of(TransitionTable.rules())).walk();

    reporter.publishEntry("walked", walk.toString());
    worlds++;
    states += walk.states();
    transitions += walk.transitions();
    assertThat(walk.violation()).as("broken invariant").isNull();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bentRules")
  void aBrokenRuleIsNoticed(BentRule rule, TestReporter reporter) {
    Walk walk = new Explorer(rule.world(), rule.bench().get()).walk();

    assertThat(walk.violation()).as("broken invariant").isNotNull();
    reporter.publishEntry(rule.name(), walk.violation().schedule());
    assertThat(walk.violation()).extracting(Violation::invariant).isEqualTo(rule.broken());
  }

  @Test
  void noInvariantIsThereForShow() {
    assertThat(bentRules()).extracting(BentRule::broken).contains(Invariant.values());
  }

  @AfterAll
  void tellTheSum(TestReporter reporter) {
    String sum = "%d worlds, %,d states, %,d transitions".formatted(worlds, states, transitions);
    reporter.publishEntry("walked", sum);
  }
}
