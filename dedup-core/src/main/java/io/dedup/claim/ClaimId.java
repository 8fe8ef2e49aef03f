// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Identifies one attempt to claim one key. It works once: after it has settled, a late copy of its
 * claim is refused.
 *
 * @param process random bits of the process that claims
 * @param sequence counts the claims of that process
 */
public record ClaimId(long process, long sequence) {

  /** The size of {@link #toBytes()}. */
  public static final int BYTES = 16;

  private static final long PROCESS = new SecureRandom().nextLong();
  private static final AtomicLong SEQUENCE = new AtomicLong();
  private static final ClaimId NONE = new ClaimId(0, 0);

  /** Returns an id that no other call has returned, in this process or another. */
  public static ClaimId next() {
    return new ClaimId(PROCESS, SEQUENCE.incrementAndGet());
  }

  /**
   * Returns the id of records that no claim holds: those issued, and those that an operator settled
   * or reopened.
   */
  public static ClaimId none() {
    return NONE;
  }

  /** Returns the id in {@value #BYTES} bytes, big-endian. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(process).putLong(sequence).array();
  }

  /**
   * Returns the id that {@link #toBytes()} made these bytes of.
   *
   * @throws StoreCorrupt if there are not {@value #BYTES} of them
   */
  public static ClaimId of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new StoreCorrupt("claim id: was " + bytes.length + " bytes, must be " + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new ClaimId(buffer.getLong(), buffer.getLong());
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(toBytes());
  }
}
