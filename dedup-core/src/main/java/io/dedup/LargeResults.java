// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where results go that are too large for the record of their key. Immutable.
 *
 * <pre>{@code
 * LargeResults large = LargeResults.builder().store(resultStore, policy).build();
 * dedup.execute(delivery, handler, large.around(ResultCodec.bytes()), policy);
 * }</pre>
 *
 * <p>Without a store, or where its limit is exceeded too, {@link OnLargeResult} says what a
 * duplicate gets. Whoever has used a store once has to go on reading with it until the last of the
 * records that refer to it has expired.
 */
public final class LargeResults {

  /** The bytes up to which a result stays in the record, unless said otherwise. */
  public static final int DEFAULT_LIMIT_BYTES = 64 * 1024;

  private final int limitBytes;
  private final @Nullable ResultStore store;
  private final Duration ttl;
  private final boolean slide;
  private final OnLargeResult otherwise;

  private LargeResults(Builder builder) {
    this.limitBytes = builder.limitBytes;
    this.store = builder.store;
    this.ttl = builder.ttl;
    this.slide = builder.slide;
    this.otherwise = builder.otherwise;
  }

  /** Returns a builder of settings. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns a codec that keeps what {@code codec} makes of a value, in the record or elsewhere.
   *
   * <p>What the store throws, encoding throws: in a transaction that rolls back, and under a lease
   * the key is completed without a result.
   */
  public <T> ResultCodec<T> around(ResultCodec<T> codec) {
    return new LargeResultCodec<>(codec, this);
  }

  int limitBytes() {
    return limitBytes;
  }

  @Nullable ResultStore store() {
    return store;
  }

  Duration ttl() {
    return ttl;
  }

  boolean slide() {
    return slide;
  }

  OnLargeResult otherwise() {
    return otherwise;
  }

  /** Collects settings. */
  public static final class Builder {
    private int limitBytes = DEFAULT_LIMIT_BYTES;
    private @Nullable ResultStore store;
    private Duration ttl = Duration.ZERO;
    private boolean slide;
    private OnLargeResult otherwise = OnLargeResult.REFUSE;

    private Builder() {}

    /**
     * Sets up to how many bytes a result stays in the record; by default {@value
     * LargeResults#DEFAULT_LIMIT_BYTES}.
     *
     * @param bytes 0 or more
     */
    public Builder limitBytes(int bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("limit-bytes: was " + bytes + ", must not be negative");
      }
      this.limitBytes = bytes;
      return this;
    }

    /**
     * Sets where larger ones are kept; by default nowhere.
     *
     * <p>They are written before the completion from which the policy counts its ttl. So they are
     * kept for the time that a handler may take, too, and a lease on top; with a policy that
     * slides, reading one keeps it for as long again. Keys that are extended by hand outlive their
     * large results.
     *
     * @param results keeps them
     * @param policy the one that the calls have
     */
    public Builder store(ResultStore results, Policy policy) {
      this.store = results;
      this.ttl = policy.ttl().plus(policy.maxProcessing()).plus(policy.lease());
      this.slide = policy.slide();
      return this;
    }

    /** Sets what becomes of a result that is kept nowhere; by default {@code REFUSE}. */
    public Builder otherwise(OnLargeResult policy) {
      this.otherwise = policy;
      return this;
    }

    /** Returns the settings. */
    public LargeResults build() {
      return new LargeResults(this);
    }
  }
}
