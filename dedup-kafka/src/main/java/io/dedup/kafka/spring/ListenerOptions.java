// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.TopicOptions;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How the listeners of a topic are guarded.
 *
 * @param topic the key, the ttl and so on
 * @param mode how effects happen once
 * @param guard whether they do
 * @param lease the topic's own lease, null for the one that fits the consumer
 */
public record ListenerOptions(
    UnaryOperator<TopicOptions> topic,
    ListenerMode mode,
    GuardSwitch guard,
    @Nullable Duration lease) {

  /** Returns options for the mode {@link ListenerMode#LEASE}, enforced. */
  public static ListenerOptions of(UnaryOperator<TopicOptions> topic) {
    return new ListenerOptions(topic, ListenerMode.LEASE, GuardSwitch.ENFORCE, null);
  }

  /** Returns these options in another mode. */
  public ListenerOptions in(ListenerMode other) {
    return new ListenerOptions(topic, other, guard, lease);
  }

  /** Returns these options with another guard. */
  public ListenerOptions guard(GuardSwitch other) {
    return new ListenerOptions(topic, mode, other, lease);
  }

  /** Returns these options with a lease of their own; below {@code max.poll.interval.ms}. */
  public ListenerOptions lease(Duration value) {
    return new ListenerOptions(topic, mode, guard, value);
  }
}
