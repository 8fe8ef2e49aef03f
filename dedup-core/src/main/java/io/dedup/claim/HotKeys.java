// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a short while, in the process, what a store has answered for keys that many ask
 * for: that they are done, and that another has them. Thread-safe.
 *
 * <p>It never lies about what is not done: only the store's own {@code Completed} and {@code
 * InProgress} are remembered, for requests with the same fingerprint, and never beyond the record's
 * expiry or the lease that they told of. What it may lie about is age: a key that another process
 * has reopened, forgotten or forced is answered as done for at most {@code maxAge} after that. In
 * this process it is forgotten at once, see {@link HotKeyStore}.
 *
 * <p>The race that it has to win: a claim is answered {@code Completed}, the key is reopened and
 * forgotten here, and then that answer arrives. So an answer is remembered only if nothing was
 * forgotten since its claim was sent, which is counted by stripes of keys.
 */
public final class HotKeys {

  /** The longest that an answer may be remembered. */
  public static final Duration MAX_AGE_MAX = Duration.ofMinutes(1);

  /** The longest that a busy key may be taken for busy without asking. */
  public static final Duration BUSY_WINDOW_MAX = Duration.ofSeconds(1);

  private static final int STRIPES = 1024;
  private static final int ENTRY_BYTES = 300;
  private static final int OWN_MAX = 10_000;

  private final Duration maxAge;
  private final Duration busyWindow;
  private final ProcessClock clock;
  private final Cache<IdempotencyKey, Entry> answers;

  /** Claims that were acquired here, and may be sent again. */
  private final Cache<ClaimId, Boolean> own =
      Caffeine.newBuilder().maximumSize(OWN_MAX).executor(Runnable::run).build();

  private final AtomicLongArray forgotten = new AtomicLongArray(STRIPES);
  private final LongAdder completed = new LongAdder();
  private final LongAdder inProgress = new LongAdder();

  private HotKeys(Builder builder) {
    this.maxAge = builder.maxAge;
    this.busyWindow = builder.busyWindow;
    this.clock = builder.clock;
    this.answers =
        Caffeine.newBuilder()
            .maximumWeight(builder.maxBytes)
            .weigher((IdempotencyKey key, Entry entry) -> entry.weight())
            // No thread of its own: evictions are small.
            .executor(Runnable::run)
            .build();
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * What was answered.
   *
   * @param fingerprint that was asked with
   * @param answer Completed or InProgress
   * @param storeTime when it was answered, by the store's clock
   * @param at the same by the process's
   * @param until when it is forgotten, by the process's
   */
  private record Entry(
      Fingerprint fingerprint, ClaimAnswer answer, Instant storeTime, long at, long until) {

    int weight() {
      StoredResult result = answer instanceof ClaimAnswer.Completed done ? done.result() : null;
      return ENTRY_BYTES + (result == null ? 0 : result.bytes().length);
    }
  }

  /**
   * An answer that is remembered.
   *
   * @param answer what the store said, with what is left of a lease by now
   * @param storeTime the store's time now, as far as this process knows
   */
  public record Remembered(ClaimAnswer answer, Instant storeTime) {}

  /** Returns what the store would answer, null if it has to be asked. */
  public @Nullable Remembered answer(ClaimRequest request) {
    if (request.force() || request.slide() || own.getIfPresent(request.claimId()) != null) {
      // To be stored, whatever the answer; or sent again by whom the key may belong to.
      return null;
    }
    Entry entry = answers.getIfPresent(request.key());
    long now = clock.nanoTime();
    if (entry == null || entry.until - now <= 0) {
      return null;
    }
    if (!entry.fingerprint.equals(request.fingerprint())) {
      return null;
    }
    Duration elapsed = Duration.ofNanos(now - entry.at);
    Instant storeTime = entry.storeTime.plus(elapsed);
    Instant notAfter = request.notAfter();
    if (notAfter != null && storeTime.isAfter(notAfter)) {
      // A late copy is the store's to refuse.
      return null;
    }
    if (entry.answer instanceof ClaimAnswer.InProgress busy) {
      inProgress.increment();
      Duration left = busy.leaseLeft().minus(elapsed);
      return new Remembered(
          new ClaimAnswer.InProgress(
              busy.owner(), left.isNegative() ? Duration.ZERO : left, busy.origin()),
          storeTime);
    }
    completed.increment();
    return new Remembered(entry.answer, storeTime);
  }

  /** Returns what {@link #learn} needs to know of the moment before a claim is sent. */
  public Asked asking(ClaimRequest request) {
    return new Asked(request, forgotten.get(stripe(request.key())), clock.nanoTime());
  }

  /**
   * A claim that is about to be sent.
   *
   * @param request the claim
   * @param forgotten how often its stripe has been forgotten
   * @param nanos when, by the process's clock
   */
  public record Asked(ClaimRequest request, long forgotten, long nanos) {}

  /**
   * Takes note of an answer. It must be of what is committed.
   *
   * @param storeTime when it was answered, by the store's clock
   */
  public void learn(Asked asked, ClaimAnswer answer, Instant storeTime) {
    IdempotencyKey key = asked.request().key();
    if (answer instanceof ClaimAnswer.Acquired) {
      own.put(asked.request().claimId(), true);
    }
    Duration keep = keep(answer, storeTime);
    if (keep.isZero() || keep.isNegative() || asked.request().force()) {
      answers.invalidate(key);
      return;
    }
    // Counted from before it was sent: the answer is at least as old as it says.
    Entry entry =
        new Entry(
            asked.request().fingerprint(),
            answer,
            storeTime,
            clock.nanoTime(),
            asked.nanos() + keep.toNanos());
    answers
        .asMap()
        .compute(
            key,
            (same, before) -> forgotten.get(stripe(key)) == asked.forgotten() ? entry : before);
  }

  private Duration keep(ClaimAnswer answer, Instant storeTime) {
    if (answer instanceof ClaimAnswer.Completed done) {
      return shorter(maxAge, Duration.between(storeTime, done.expires()));
    }
    return answer instanceof ClaimAnswer.InProgress busy
        ? shorter(busyWindow, busy.leaseLeft())
        : Duration.ZERO;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** Forgets keys that were changed, and answers about them that are still on their way. */
  public void forget(Collection<IdempotencyKey> keys) {
    for (IdempotencyKey key : keys) {
      // First this: whoever puts an answer after it sees it, and one that is there is removed.
      forgotten.incrementAndGet(stripe(key));
      answers.invalidate(key);
    }
  }

  private static int stripe(IdempotencyKey key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & (STRIPES - 1);
  }

  /** Returns how many claims were answered "done" without the store. */
  public long completedAnswers() {
    return completed.sum();
  }

  /** Returns how many claims were answered "busy" without the store. */
  public long busyAnswers() {
    return inProgress.sum();
  }

  /** Collects settings. */
  public static final class Builder {
    private Duration maxAge = Duration.ofSeconds(2);
    private Duration busyWindow = Duration.ofMillis(100);
    private long maxBytes = 16L * 1024 * 1024;
    private ProcessClock clock = ProcessClock.system();

    private Builder() {}

    /**
     * Sets how long a done key is answered without asking; by default 2 s, 0 for never.
     *
     * @throws IllegalArgumentException if it is negative or above {@link #MAX_AGE_MAX}
     */
    public Builder maxAge(Duration value) {
      this.maxAge = checked("max-age", value, MAX_AGE_MAX);
      return this;
    }

    /**
     * Sets how long a busy key is answered without asking, and so how often all who wait for one in
     * this process ask together; by default 100 ms, 0 for never.
     *
     * @throws IllegalArgumentException if it is negative or above {@link #BUSY_WINDOW_MAX}
     */
    public Builder busyWindow(Duration value) {
      this.busyWindow = checked("busy-window", value, BUSY_WINDOW_MAX);
      return this;
    }

    /**
     * Sets how much memory answers may take, roughly; by default 16 MiB. The least used go first.
     *
     * @throws IllegalArgumentException if it is not above 0
     */
    public Builder maxBytes(long value) {
      if (value < 1) {
        throw new IllegalArgumentException("max-bytes: was " + value + ", must be above 0");
      }
      this.maxBytes = value;
      return this;
    }

    /** Sets the clock of the process; by default the JVM's. */
    public Builder clock(ProcessClock value) {
      this.clock = value;
      return this;
    }

    private static Duration checked(String name, Duration value, Duration most) {
      if (value.isNegative() || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(name + ": was " + value + ", must be PT0S to " + most);
      }
      return value;
    }

    /** Returns a memory that knows nothing yet; one for each store. */
    public HotKeys build() {
      return new HotKeys(this);
    }
  }
}
