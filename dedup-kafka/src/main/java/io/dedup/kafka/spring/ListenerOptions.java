// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.TopicOptions;
import java.util.function.UnaryOperator;

/**
 * How the listeners of a topic are guarded.
 *
 * @param topic the key, the ttl and so on
 * @param mode how effects happen once
 * @param guard whether they do
 */
public record ListenerOptions(
    UnaryOperator<TopicOptions> topic, ListenerMode mode, GuardSwitch guard) {

  /** Returns options for the mode {@link ListenerMode#LEASE}, enforced. */
  public static ListenerOptions of(UnaryOperator<TopicOptions> topic) {
    return new ListenerOptions(topic, ListenerMode.LEASE, GuardSwitch.ENFORCE);
  }

  /** Returns these options in another mode. */
  public ListenerOptions in(ListenerMode other) {
    return new ListenerOptions(topic, other, guard);
  }

  /** Returns these options with another guard. */
  public ListenerOptions guard(GuardSwitch other) {
    return new ListenerOptions(topic, mode, other);
  }
}
