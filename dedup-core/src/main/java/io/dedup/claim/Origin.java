// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Where a delivery came from, in sixteen bytes: equal origins are the same record, delivered again.
 *
 * <p>The first eight bytes hold the kind (8 bits), the Kafka partition (24 bits) and a digest of
 * what identifies the source (32 bits); the other eight hold the Kafka offset, or more of the
 * digest.
 *
 * @param source kind, partition and digest
 * @param position the offset for Kafka
 */
public record Origin(long source, long position) {

  /** The size of {@link #toBytes()}. */
  public static final int BYTES = 16;

  /** The largest partition an origin can hold. */
  public static final int PARTITION_MAX = (1 << 24) - 1;

  private static final int KIND_KAFKA = 1;
  private static final int KIND_HTTP = 2;
  private static final int KIND_CALL = 3;
  private static final Origin NONE = new Origin(0, 0);

  /**
   * Returns the origin of a delivery of which none is known. It is never the same record as
   * another.
   */
  public static Origin none() {
    return NONE;
  }

  /**
   * Returns the origin of a Kafka record. An offset alone would not do: offsets are used again when
   * a topic is created anew or an unclean election truncates it.
   *
   * @param cluster the cluster's id
   * @param topic the topic's id where known, else its name
   * @param partition 0 to {@value #PARTITION_MAX}
   * @param offset not negative
   * @param leaderEpoch the epoch the record was written in, or -1 if unknown
   */
  public static Origin kafka(
      String cluster, String topic, int partition, long offset, int leaderEpoch) {
    if (partition < 0 || partition > PARTITION_MAX) {
      throw new IllegalArgumentException(
          "partition: was " + partition + ", must be 0 to " + PARTITION_MAX);
    }
    if (offset < 0) {
      throw new IllegalArgumentException("offset: was " + offset + ", must not be negative");
    }
    long digest = digest(cluster, topic, Integer.toString(leaderEpoch));
    return new Origin(head(KIND_KAFKA, partition, digest), offset);
  }

  /** Returns the origin of an HTTP request. Every retry of the client has the same. */
  public static Origin http(String method, String route) {
    return new Origin(head(KIND_HTTP, 0, digest(method, route)), digest(route, method));
  }

  /** Returns the origin of a call from within the application, such as an annotated method. */
  public static Origin call(String operation) {
    return new Origin(head(KIND_CALL, 0, digest(operation)), 0);
  }

  /** Returns whether this is a Kafka record. */
  public boolean isKafka() {
    return kind() == KIND_KAFKA;
  }

  /** Returns whether this is an HTTP request. */
  public boolean isHttp() {
    return kind() == KIND_HTTP;
  }

  /** Returns whether both are the same known record. */
  public boolean sameRecordAs(Origin other) {
    return isKafka() && equals(other);
  }

  /** Returns the Kafka partition, 0 for other kinds. */
  public int partition() {
    return (int) (source >>> 32) & PARTITION_MAX;
  }

  /** Returns the origin in {@value #BYTES} bytes, big-endian. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(source).putLong(position).array();
  }

  /**
   * Returns the origin that {@link #toBytes()} made these bytes of.
   *
   * @throws StoreCorrupt if there are not {@value #BYTES} of them
   */
  public static Origin of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new StoreCorrupt("origin: was " + bytes.length + " bytes, must be " + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Origin(buffer.getLong(), buffer.getLong());
  }

  @Override
  public String toString() {
    return switch (kind()) {
      case 0 -> "unknown";
      case KIND_KAFKA -> "kafka:partition=" + partition() + ",offset=" + position;
      case KIND_HTTP -> "http";
      case KIND_CALL -> "call";
      default -> "kind " + kind();
    };
  }

  private int kind() {
    return (int) (source >>> 56);
  }

  private static long head(int kind, int partition, long digest) {
    return (long) kind << 56 | (long) partition << 32 | digest >>> 32;
  }

  private static long digest(String... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        sha.update(bytes);
      }
      return ByteBuffer.wrap(sha.digest()).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
