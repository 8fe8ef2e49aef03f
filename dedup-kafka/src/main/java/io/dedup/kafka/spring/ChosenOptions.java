// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.topic.TopicRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Puts together what annotation and configuration say of a listener's topics. */
final class ChosenOptions {

  private ChosenOptions() {}

  /**
   * Returns the options of the topics, null if the listener is not to be guarded.
   *
   * @param topics none if the listener subscribes to a pattern
   * @throws IllegalArgumentException if some have options and some have none
   */
  static @Nullable TopicRules<ListenerOptions> of(
      ListenerGuards guards,
      String name,
      Set<String> topics,
      @Nullable IdempotentListener annotation) {
    if (topics.isEmpty()) {
      return ofPattern(guards, annotation);
    }
    Map<String, ListenerOptions> named = new HashMap<>();
    Set<String> without = new TreeSet<>();
    for (String topic : topics) {
      ListenerOptions configured = guards.topics().find(topic).orElse(null);
      if (annotation != null) {
        named.put(
            topic,
            AnnotatedOptions.with(annotation, configured == null ? guards.defaults() : configured));
      } else if (configured != null) {
        named.put(topic, configured);
      } else {
        without.add(topic);
      }
    }
    if (named.isEmpty()
        || named.values().stream().allMatch(one -> one.guard() == GuardSwitch.OFF)) {
      return null;
    }
    if (!without.isEmpty()) {
      throw new IllegalArgumentException(
          "listener "
              + name
              + ": has options for topics "
              + named.keySet()
              + " and none for "
              + without
              + ", must have them for all; guard: off leaves a topic as it is");
    }
    return TopicRules.of(named);
  }

  private static @Nullable TopicRules<ListenerOptions> ofPattern(
      ListenerGuards guards, @Nullable IdempotentListener annotation) {
    Map<String, ListenerOptions> rules = new HashMap<>();
    guards.topics().forEach(rules::put);
    if (annotation != null) {
      rules.replaceAll((text, configured) -> AnnotatedOptions.with(annotation, configured));
      rules.putIfAbsent("*", AnnotatedOptions.with(annotation, guards.defaults()));
    }
    return rules.isEmpty() ? null : TopicRules.of(rules);
  }
}
