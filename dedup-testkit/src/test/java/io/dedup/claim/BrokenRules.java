// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A transition table some of whose decisions are made differently. Lives here because the table is
 * closed elsewhere.
 */
public final class BrokenRules extends TransitionTable {

  /** Decides one thing, with the sound rules at hand. */
  @FunctionalInterface
  public interface Rule<Q, A> {
    Transition<A> decide(
        TransitionTable sound, @Nullable ClaimRecord found, Q question, Instant now);
  }

  /** What {@code resolve} is asked. */
  public record Resolving(long token, Resolution resolution, String note) {}

  private Rule<ClaimRequest, ClaimAnswer> claim = TransitionTable::claim;
  private Rule<SettleRequest, SettleAnswer> settle = TransitionTable::settle;
  private Rule<Duration, Boolean> issue = TransitionTable::issue;
  private Rule<Resolving, SettleAnswer> resolve =
      (sound, found, q, now) -> sound.resolve(found, q.token(), q.resolution(), q.note(), now);
  private Rule<String, SettleAnswer> reopen = TransitionTable::reopen;
  private Rule<ClaimRecord, Boolean> merge = TransitionTable::merge;
  private Rule<Duration, Boolean> extend = TransitionTable::extend;

  public static BrokenRules claiming(Rule<ClaimRequest, ClaimAnswer> rule) {
    BrokenRules rules = new BrokenRules();
    rules.claim = rule;
    return rules;
  }

  public static BrokenRules settling(Rule<SettleRequest, SettleAnswer> rule) {
    BrokenRules rules = new BrokenRules();
    rules.settle = rule;
    return rules;
  }

  public static BrokenRules issuing(Rule<Duration, Boolean> rule) {
    BrokenRules rules = new BrokenRules();
    rules.issue = rule;
    return rules;
  }

  public static BrokenRules resolving(Rule<Resolving, SettleAnswer> rule) {
    BrokenRules rules = new BrokenRules();
    rules.resolve = rule;
    return rules;
  }

  public static BrokenRules reopening(Rule<String, SettleAnswer> rule) {
    BrokenRules rules = new BrokenRules();
    rules.reopen = rule;
    return rules;
  }

  public static BrokenRules merging(Rule<ClaimRecord, Boolean> rule) {
    BrokenRules rules = new BrokenRules();
    rules.merge = rule;
    return rules;
  }

  public static BrokenRules extending(Rule<Duration, Boolean> rule) {
    BrokenRules rules = new BrokenRules();
    rules.extend = rule;
    return rules;
  }

  /** Returns a store in memory that obeys these rules. */
  public ClaimStore store(StoreTime time) {
    return new InMemoryClaimStore(this, time, InMemoryClaimStore.DEFAULT_MAX_RECORDS);
  }

  @Override
  public Transition<ClaimAnswer> claim(
      @Nullable ClaimRecord found, ClaimRequest request, Instant now) {
    return claim.decide(rules(), found, request, now);
  }

  @Override
  public Transition<SettleAnswer> settle(
      @Nullable ClaimRecord found, SettleRequest request, Instant now) {
    return settle.decide(rules(), found, request, now);
  }

  @Override
  public Transition<Boolean> issue(@Nullable ClaimRecord found, Duration ttl, Instant now) {
    return issue.decide(rules(), found, ttl, now);
  }

  @Override
  public Transition<SettleAnswer> resolve(
      @Nullable ClaimRecord found, long token, Resolution resolution, String note, Instant now) {
    return resolve.decide(rules(), found, new Resolving(token, resolution, note), now);
  }

  @Override
  public Transition<SettleAnswer> reopen(@Nullable ClaimRecord found, String note, Instant now) {
    return reopen.decide(rules(), found, note, now);
  }

  @Override
  public Transition<Boolean> merge(@Nullable ClaimRecord found, ClaimRecord incoming, Instant now) {
    return merge.decide(rules(), found, incoming, now);
  }

  @Override
  public Transition<Boolean> extend(@Nullable ClaimRecord found, Duration ttl, Instant now) {
    return extend.decide(rules(), found, ttl, now);
  }
}
