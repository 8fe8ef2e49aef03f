// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Settings for topics by name or pattern. A name comes before every pattern, a pattern with more
 * characters before one with fewer, {@code *} last; the order in which they were given does not
 * matter. Thread-safe.
 *
 * @param <T> the setting
 */
public final class TopicRules<T> {

  private final Map<String, T> exact = new HashMap<>();
  private final List<Rule<T>> patterns = new ArrayList<>();

  private TopicRules(Map<String, ? extends T> rules) {
    rules.forEach(
        (text, value) -> {
          if (TopicPattern.isPattern(text)) {
            patterns.add(new Rule<>(TopicPattern.of(text), value));
          } else {
            exact.put(TopicNames.check("topic", text), value);
          }
        });
  }

  /**
   * Returns the rules.
   *
   * @param rules by topic's name, or by pattern, in which each {@code *} stands for any number of
   *     characters
   * @throws IllegalArgumentException if a name or pattern holds what no topic's name can
   */
  public static <T> TopicRules<T> of(Map<String, ? extends T> rules) {
    return new TopicRules<>(rules);
  }

  /**
   * Returns the setting for {@code topic}.
   *
   * @throws IllegalArgumentException if there is none, or if two patterns of the same length claim
   *     it
   */
  public T get(String topic) {
    return find(topic)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "topic " + topic + ": matched none of " + names() + ", must match one"));
  }

  /**
   * Returns the setting for {@code topic}, empty if there is none.
   *
   * @throws IllegalArgumentException if two patterns of the same length claim it
   */
  public Optional<T> find(String topic) {
    T named = exact.get(topic);
    return named != null ? Optional.of(named) : best(topic).map(Rule::value);
  }

  /**
   * Checks that each rule is there for at least one of {@code topics}: one that is not is a typing
   * error.
   *
   * @throws IllegalArgumentException if there is a rule for none of them
   */
  public void checkUsed(Collection<String> topics) {
    for (String name : exact.keySet()) {
      if (!topics.contains(name)) {
        throw unused(name, topics);
      }
    }
    for (Rule<T> rule : patterns) {
      if (topics.stream().noneMatch(rule.pattern()::matches)) {
        throw unused(rule.pattern().toString(), topics);
      }
    }
  }

  /** Calls {@code action} with each name or pattern and its setting, in no order. */
  public void forEach(BiConsumer<? super String, ? super T> action) {
    exact.forEach(action);
    patterns.forEach(rule -> action.accept(rule.pattern().toString(), rule.value()));
  }

  /** Returns the same rules with other settings. */
  public <R> TopicRules<R> map(Function<? super T, ? extends R> change) {
    Map<String, R> changed = new HashMap<>();
    exact.forEach((name, value) -> changed.put(name, change.apply(value)));
    patterns.forEach(rule -> changed.put(rule.pattern().toString(), change.apply(rule.value())));
    return new TopicRules<>(changed);
  }

  private Optional<Rule<T>> best(String topic) {
    Rule<T> best = null;
    Rule<T> rival = null;
    for (Rule<T> rule : patterns) {
      if (!rule.pattern().matches(topic)) {
        continue;
      }
      int ahead = best == null ? 1 : rule.pattern().length() - best.pattern().length();
      if (ahead > 0) {
        best = rule;
        rival = null;
      } else if (ahead == 0) {
        rival = rule;
      }
    }
    if (best != null && rival != null) {
      throw new IllegalArgumentException(
          "topic "
              + topic
              + ": matched both '"
              + best.pattern()
              + "' and '"
              + rival.pattern()
              + "', which are equally special; must be named, or one of them be longer");
    }
    return Optional.ofNullable(best);
  }

  private static IllegalArgumentException unused(String rule, Collection<String> topics) {
    return new IllegalArgumentException(
        "topic rule '" + rule + "': matched none of " + topics + ", must match one");
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(exact.keySet());
    patterns.forEach(rule -> names.add(rule.pattern().toString()));
    names.sort(null);
    return names;
  }

  private record Rule<T>(TopicPattern pattern, T value) {}
}
