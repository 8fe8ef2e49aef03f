// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * Counts on a connection of Redis: each command, and as a round trip each command that is sent
 * while nothing is outstanding.
 */
final class RespMeter implements Meter {

  private final RespReader commands = new RespReader();
  private final RespReader replies = new RespReader();
  private long sent;
  private long answered;
  private long roundTrips;

  @Override
  public synchronized void request(byte[] bytes, int length) {
    long more = commands.read(bytes, length);
    if (more > 0 && sent == answered) {
      roundTrips++;
    }
    sent += more;
  }

  @Override
  public synchronized void reply(byte[] bytes, int length) {
    answered += replies.read(bytes, length);
  }

  @Override
  public synchronized Traffic traffic() {
    return new Traffic(roundTrips, sent);
  }
}
