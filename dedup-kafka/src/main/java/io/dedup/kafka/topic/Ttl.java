// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.Objects;

/**
 * How long the keys of a topic's records are kept once their effects are done, counted from
 * completion.
 */
public sealed interface Ttl permits Ttl.Fixed, Ttl.FromTimestamp, Ttl.Custom, MatchRetention {

  /** Returns the choice as it is written in a configuration. */
  String describe();

  /**
   * The same for every record.
   *
   * @param ttl 1 ms to 36,500 days
   */
  record Fixed(Duration ttl) implements Ttl {
    /** Checks the duration. */
    public Fixed {
      Checks.ttl("ttl", ttl);
    }

    @Override
    public String describe() {
      return ttl.toString();
    }
  }

  /**
   * Counted from the record's timestamp if that lies in the future, so that a message dated ahead
   * is known for as long after its date as others.
   *
   * @param ttl 1 ms to 36,500 days
   */
  record FromTimestamp(Duration ttl) implements Ttl {
    /** Checks the duration. */
    public FromTimestamp {
      Checks.ttl("ttl", ttl);
    }

    @Override
    public String describe() {
      return "timestamp+" + ttl;
    }
  }

  /**
   * By a user's own rule.
   *
   * @param policy the rule
   */
  record Custom(TtlPolicy policy) implements Ttl {
    /** Checks that there is a rule. */
    public Custom {
      Objects.requireNonNull(policy, "policy");
    }

    @Override
    public String describe() {
      return "policy " + policy.getClass().getName();
    }
  }

  /** Returns a ttl that is the same for every record, 1 ms to 36,500 days. */
  static Ttl of(Duration ttl) {
    return new Fixed(ttl);
  }

  /**
   * Returns a ttl that lasts as long as the broker can deliver the record again, by the topic's
   * configuration. It has settings of its own.
   */
  static MatchRetention matchRetention() {
    return MatchRetention.DEFAULT;
  }

  /** Returns a ttl counted from the later of the record's timestamp and now. */
  static Ttl fromTimestamp(Duration ttl) {
    return new FromTimestamp(ttl);
  }

  /** Returns a ttl by a user's own rule. */
  static Ttl by(TtlPolicy policy) {
    return new Custom(policy);
  }

  /**
   * Returns the ttl that {@code text} describes: {@code retention}, a number with one of the units
   * {@code ms s m h d} such as {@code 7d}, an ISO-8601 duration such as {@code PT10M}, or {@code
   * timestamp+} and one of the last two.
   *
   * @throws IllegalArgumentException if it is none of them, or out of range
   */
  static Ttl parse(String text) {
    if (text.equals("retention")) {
      return matchRetention();
    }
    String prefix = "timestamp+";
    return text.startsWith(prefix)
        ? fromTimestamp(DurationText.read(text.substring(prefix.length())))
        : of(DurationText.read(text));
  }
}
