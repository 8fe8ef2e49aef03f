// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * Counts on a connection of PostgreSQL's protocol, version 3, without TLS: each {@code
 * ReadyForQuery} ends a round trip, each {@code CommandComplete} a statement.
 *
 * <p>{@code BEGIN}, {@code COMMIT} and {@code ROLLBACK} are statements, too.
 */
final class PostgresMeter implements Meter {

  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_BYTES = 4;

  private final byte[] header = new byte[HEADER_BYTES];
  private int headerRead;
  private long skip;
  private long roundTrips;
  private long statements;

  @Override
  public void request(byte[] bytes, int length) {}

  @Override
  public synchronized void reply(byte[] bytes, int length) {
    int at = 0;
    while (at < length) {
      if (skip > 0) {
        int step = (int) Math.min(skip, length - at);
        skip -= step;
        at += step;
      } else {
        header[headerRead++] = bytes[at++];
        if (headerRead == HEADER_BYTES) {
          headerRead = 0;
          skip = bodyLength();
          count((char) header[0]);
        }
      }
    }
  }

  private long bodyLength() {
    int length =
        (header[1] & 0xff) << 24
            | (header[2] & 0xff) << 16
            | (header[3] & 0xff) << 8
            | (header[4] & 0xff);
    return (long) length - LENGTH_BYTES;
  }

  private void count(char type) {
    if (type == 'Z') {
      roundTrips++;
    } else if (type == 'C') {
      statements++;
    }
  }

  @Override
  public synchronized Traffic traffic() {
    return new Traffic(roundTrips, statements);
  }
}
