// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;

/**
 * The lease of a consumer's claims: over by the time the group gives a dead member's partitions to
 * others, so that they need not wait for it.
 */
final class ConsumerLease {

  private static final Duration MARGIN = Duration.ofSeconds(1);
  private static final Duration MIN = Duration.ofSeconds(1);

  private ConsumerLease() {}

  /**
   * Returns the lease that the user chose.
   *
   * @throws IllegalArgumentException if it is not below {@code maxPoll}, the longest time between
   *     two polls
   */
  static Duration chosen(Duration lease, Duration maxPoll) {
    if (lease.compareTo(maxPoll) >= 0) {
      throw new IllegalArgumentException(
          "lease: was " + lease + ", must be below max.poll.interval.ms, which is " + maxPoll);
    }
    return lease;
  }

  /**
   * Returns the usual lease, or less.
   *
   * @param usual the policy's
   * @param session the member's session time-out
   * @param heartbeat the interval of its heartbeats
   * @param command the time-out of a command to the store
   * @param maxPoll the longest time between two polls
   * @throws IllegalArgumentException if there is no lease that goes with the others
   */
  static Duration fitting(
      Duration usual, Duration session, Duration heartbeat, Duration command, Duration maxPoll) {
    Duration longest = session.minus(heartbeat).minus(command).minus(MARGIN);
    if (longest.compareTo(MIN) < 0) {
      throw new IllegalArgumentException(
          "session.timeout.ms: was "
              + session
              + ", must be at least "
              + heartbeat.plus(command).plus(MARGIN).plus(MIN)
              + " (heartbeat.interval.ms "
              + heartbeat
              + " + command-timeout "
              + command
              + " + "
              + MARGIN
              + " + the shortest lease "
              + MIN
              + "); or choose a shorter command-timeout, or a lease");
    }
    return chosen(usual.compareTo(longest) < 0 ? usual : longest, maxPoll);
  }
}
