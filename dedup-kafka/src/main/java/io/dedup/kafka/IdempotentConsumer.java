// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Deduplicator;
import io.dedup.Policy;
import io.dedup.kafka.topic.TopicReadException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that has the effect of each record happen once, and commits an offset only after
 * everything before it is done, or kept as a dead letter.
 *
 * <p>Records of a partition are processed in order. One that cannot be done now (its key is busy
 * elsewhere, its handler failed, its dead letter cannot be kept) holds back its own partition and
 * no other. While the store does not answer, nothing is processed or committed; the consumer stays
 * in its group and goes on by itself.
 *
 * <p>{@link #close()} may be called by any thread; everything else by the one that owns the
 * consumer.
 */
public final class IdempotentConsumer<K, V> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentConsumer.class);
  private static final Duration REREAD_INTERVAL = Duration.ofHours(1);
  private static final int TOGETHER_MAX = 500;

  private final Admin admin;
  private final RecordReader<K, V> reader;
  private final @Nullable DeadLetterThread deadLetters;
  private final RecordDeduplicator deduplicator;
  private final PollLoop loop;
  private final Set<String> topics;
  private final Duration closeTimeout;
  private final String group;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Thread runner;

  private IdempotentConsumer(Builder<K, V> builder, RecordHandler<K, V> handler) {
    ClientSettings settings = builder.settings;
    this.group = settings.group();
    this.topics = Set.copyOf(builder.topics.keySet());
    this.closeTimeout = builder.closeTimeout;
    this.deadLetters =
        builder.deadLetters == null ? null : new DeadLetterThread(builder.deadLetters);
    this.admin = Admin.create(settings.ofAdmin());
    try {
      this.deduplicator = builder.records(admin);
      this.reader = RecordReader.of(settings.asGiven());
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
    RecordGuard guard = builder.guard(reader, deduplicator, handler);
    try {
      this.loop =
          new PollLoop(
              new KafkaConsumer<>(settings.readingBytes()),
              guard,
              new RecordStep(guard, builder.backOff, keeping(deadLetters), builder.clock),
              this::assigned,
              builder.clock,
              settings.maxPollInterval().dividedBy(3),
              builder.settleTimeout());
    } catch (RuntimeException e) {
      release(Duration.ZERO);
      throw e;
    }
  }

  private static @Nullable Function<DeadLetter, Future<?>> keeping(
      @Nullable DeadLetterThread thread) {
    return thread == null ? null : thread::keep;
  }

  /**
   * Returns a builder.
   *
   * @param properties those of Kafka's consumer; {@code group.id} is needed, {@code
   *     enable.auto.commit} may not be true, deserializers are bytes unless said otherwise
   * @throws IllegalArgumentException if they cannot be used
   */
  public static <K, V> Builder<K, V> builder(Map<String, ?> properties) {
    return new Builder<>(ClientSettings.of(properties));
  }

  /**
   * Reads and processes in this thread until {@link #close()} is called, or the thread is
   * interrupted; either takes effect after the record in hand.
   *
   * @throws IllegalStateException if the consumer was run, started or closed before
   * @throws io.dedup.kafka.topic.TopicReadException if there is a topic of which nothing can be
   *     read
   * @throws IllegalArgumentException if a topic cannot be handled as its options say
   * @throws org.apache.kafka.common.errors.InterruptException if the thread was interrupted
   * @throws org.apache.kafka.common.KafkaException if the client cannot go on
   */
  public void run() {
    begin();
    runToTheEnd();
  }

  private void begin() {
    if (begun.getAndSet(true)) {
      throw new IllegalStateException(
          "consumer of group " + group + " was run, started or closed before");
    }
  }

  private void runToTheEnd() {
    runner = Thread.currentThread();
    ScheduledExecutorService retention = Executors.newSingleThreadScheduledExecutor(daemon());
    ScheduledFuture<?> rereading =
        retention.scheduleWithFixedDelay(
            this::rereadRetention,
            REREAD_INTERVAL.toMillis(),
            REREAD_INTERVAL.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      loop.run(topics, deduplicator::prepare, closeTimeout);
    } finally {
      rereading.cancel(true);
      retention.shutdownNow();
      try {
        release(closeTimeout);
      } finally {
        ended.countDown();
      }
    }
  }

  private void release(Duration timeout) {
    if (deadLetters != null) {
      deadLetters.close();
    }
    try {
      reader.close();
    } finally {
      admin.close(timeout);
    }
  }

  private static ThreadFactory daemon() {
    return task -> {
      Thread thread = new Thread(task, "dedup-retention");
      thread.setDaemon(true);
      return thread;
    };
  }

  private void rereadRetention() {
    try {
      deduplicator.rereadRetention();
    } catch (RuntimeException e) {
      LOG.warn("retention not read again, what was read before stays in force", e);
    }
  }

  /**
   * A topic may have been created anew since it was last read. What cannot be read now is read with
   * its first record.
   */
  private void assigned(Collection<TopicPartition> partitions) {
    Set<String> names =
        partitions.stream().map(TopicPartition::topic).collect(Collectors.toUnmodifiableSet());
    try {
      deduplicator.assigned(names);
    } catch (TopicReadException e) {
      LOG.warn("topics {} not read at their assignment: {}", names, e.getMessage());
    }
  }

  /**
   * Does what {@link #run()} does, in a thread of its own; what ends it is logged, and in the
   * {@link #status()}.
   *
   * @throws IllegalStateException if the consumer was run, started or closed before
   */
  public void start() {
    begin();
    new Thread(this::runAndLog, "dedup-consumer-" + group).start();
  }

  private void runAndLog() {
    try {
      runToTheEnd();
    } catch (RuntimeException | Error e) {
      LOG.error("consumer of group {} ended", group, e);
    }
  }

  /** Returns what the consumer is doing. Any thread may call it. */
  public ConsumerStatus status() {
    return loop.status();
  }

  /**
   * Ends the consumer after the record in hand, commits what is done, and leaves the group, unless
   * its membership is static.
   *
   * <p>It returns when that is done, or the close time-out is over: a record in hand that takes
   * longer is finished all the same, and its key settled, so keep open what its handler needs.
   * Called by a handler it returns at once, and takes effect after the handler.
   */
  @Override
  public void close() {
    loop.stop();
    if (!begun.getAndSet(true)) {
      try {
        loop.closeUnused();
      } finally {
        release(closeTimeout);
        ended.countDown();
      }
    } else if (runner != Thread.currentThread()) {
      awaitEnd();
    }
  }

  private void awaitEnd() {
    try {
      if (!ended.await(closeTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn(
            "consumer of group {} has not ended within {}, it ends after the record in hand",
            group,
            closeTimeout);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Collects the parts of a consumer. */
  public static final class Builder<K, V> {
    private final ClientSettings settings;
    private final Map<String, TopicOptions> topics = new LinkedHashMap<>();
    private @Nullable Deduplicator deduplicator;
    private @Nullable RecordHandler<K, V> handler;
    private @Nullable DeadLetters deadLetters;
    private @Nullable Duration lease;
    private BackOff backOff = BackOff.defaults();
    private Duration closeTimeout = Duration.ofSeconds(30);
    private int recordsPerTransaction = 1;
    private ProcessClock clock = ProcessClock.system();

    private Builder(ClientSettings settings) {
      this.settings = settings;
    }

    /** Adds a topic. */
    public Builder<K, V> topic(String name, UnaryOperator<TopicOptions> options) {
      if (topics.putIfAbsent(name, options.apply(new TopicOptions(name))) != null) {
        throw new IllegalArgumentException("topic " + name + ": was given twice, must be once");
      }
      return this;
    }

    /**
     * Sets what claims the keys. It is not closed with the consumer. Of its policy the wait for
     * busy keys does not apply: their partitions wait, and not the thread.
     */
    public Builder<K, V> deduplicator(Deduplicator value) {
      this.deduplicator = value;
      return this;
    }

    /** Sets what does the effects. */
    public Builder<K, V> handler(RecordHandler<K, V> value) {
      this.handler = value;
      return this;
    }

    /**
     * Sets who takes records that will not be tried again. Without one such a record holds its
     * partition back until somebody helps: nothing is skipped. They are published by a thread of
     * the consumer's, one after the other.
     */
    public Builder<K, V> deadLetters(DeadLetters value) {
      this.deadLetters = value;
      return this;
    }

    /**
     * Sets how often and when failing records are tried again; by default {@link
     * BackOff#defaults()}.
     */
    public Builder<K, V> backOff(BackOff value) {
      this.backOff = value;
      return this;
    }

    /**
     * Sets the lease of claims, below {@code max.poll.interval.ms}. By default it is the
     * deduplicator's, or less: what is left of the session time-out after a heartbeat interval, the
     * command time-out and 1 s, so that nobody waits for the claims of a dead member.
     */
    public Builder<K, V> lease(Duration value) {
      this.lease = value;
      return this;
    }

    /**
     * Sets how long closing may take; not negative, by default 30 s.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder<K, V> closeTimeout(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException(
            "close-timeout: was " + value + ", must not be negative");
      }
      this.closeTimeout = value;
      return this;
    }

    /**
     * Sets how many records are handled in one transaction where the deduplicator is transactional;
     * 1 to 500, by default 1. When one of them fails all are rolled back, and each is handled in a
     * transaction of its own.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder<K, V> recordsPerTransaction(int value) {
      if (value < 1 || value > TOGETHER_MAX) {
        throw new IllegalArgumentException(
            "records-per-transaction: was " + value + ", must be 1 to " + TOGETHER_MAX);
      }
      this.recordsPerTransaction = value;
      return this;
    }

    Builder<K, V> clock(ProcessClock value) {
      this.clock = value;
      return this;
    }

    /**
     * Returns the consumer.
     *
     * @throws IllegalArgumentException naming what is missing or does not go together
     */
    public IdempotentConsumer<K, V> build() {
      if (topics.isEmpty()) {
        throw new IllegalArgumentException("topics: were none, must be at least one");
      }
      if (deduplicator == null) {
        throw new IllegalArgumentException("deduplicator: was not set, must be");
      }
      if (handler == null) {
        throw new IllegalArgumentException("handler: was not set, must be");
      }
      if (recordsPerTransaction > 1 && !deduplicator.isTransactional()) {
        throw new IllegalArgumentException(
            "records-per-transaction: was "
                + recordsPerTransaction
                + ", must be 1 where the deduplicator is not transactional");
      }
      return new IdempotentConsumer<>(this, handler);
    }

    private RecordGuard guard(
        RecordReader<K, V> reader, RecordDeduplicator records, RecordHandler<K, V> effects) {
      return records.deduplicator().isTransactional()
          ? new TransactionGuard<>(reader, records, effects, recordsPerTransaction)
          : new LeaseGuard<>(reader, records, effects, clock);
    }

    /** A command that is under way is answered within this, or never. */
    private Duration settleTimeout() {
      return Objects.requireNonNull(deduplicator).commandTimeout();
    }

    private RecordDeduplicator records(Admin admin) {
      Deduplicator dedup = Objects.requireNonNull(deduplicator);
      Policy policy = settings.policy(dedup, lease, null, admin);
      LOG.info("group {}: lease {}, topics {}", settings.group(), policy.lease(), topics.keySet());
      RecordDeduplicator.Builder records =
          RecordDeduplicator.builder(dedup, settings.group())
              .admin(admin)
              .policy(policy)
              .clock(clock);
      topics.values().forEach(records::topic);
      return records.build();
    }
  }
}
