// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Deduplicator;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.time.ProcessClock;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;

/**
 * Guards the listeners of an application: those whose topics have options, and those with {@link
 * IdempotentListener}. Thread-safe.
 *
 * <p>As a bean beside {@link EnableIdempotentListeners} it guards whatever listener containers
 * there are; a container that is no bean is given to {@link
 * #guard(AbstractMessageListenerContainer)}.
 */
public final class ListenerGuards implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerGuards.class);

  private final Map<ListenerMode, Supplier<Deduplicator>> deduplicators;
  private final TopicRules<ListenerOptions> topics;
  private final @Nullable ListenerOptions defaults;
  private final @Nullable Duration lease;
  private final int window;
  private final ProcessClock clock;
  private final @Nullable ObservationRegistry observations;
  private final @Nullable ConsumerRecordRecoverer recoverer;
  private final List<Runnable> shares = new CopyOnWriteArrayList<>();
  private final Admins admins;

  /** The main listeners' methods, by their ids: a dead-letter handler is another one. */
  private final Map<String, Method> methods = new ConcurrentHashMap<>();

  private final Map<String, AbstractMessageListenerContainer<?, ?>> mains =
      new ConcurrentHashMap<>();

  private final Map<MessageListenerContainer, GuardedContainer> guarded =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Containers that were looked at, with the endpoint where there is one. */
  private final Set<MessageListenerContainer> considered =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private ListenerGuards(Builder builder) {
    this.deduplicators = Map.copyOf(builder.deduplicators);
    this.topics = builder.topics;
    this.defaults = builder.defaults;
    this.lease = builder.lease;
    this.window = builder.window;
    this.clock = builder.clock;
    this.observations = builder.observations;
    this.recoverer = builder.recoverer;
    this.admins = new Admins(builder.admins);
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Guards a container that was made by hand, before it is started. Its listener must be set.
   *
   * @throws IllegalArgumentException if it cannot be guarded as its topics' options say, or has no
   *     topic with options
   */
  public void guard(AbstractMessageListenerContainer<?, ?> container) {
    if (!guard(container, null)) {
      throw new IllegalArgumentException(
          "container "
              + container.getListenerId()
              + ": none of its topics has options, must have some to be guarded");
    }
    finish(container);
  }

  /** Guards the container's listener if its topics have options. Returns whether they have. */
  boolean guard(
      AbstractMessageListenerContainer<?, ?> container, @Nullable KafkaListenerEndpoint endpoint) {
    if (!considered.add(container)) {
      return guarded.containsKey(container);
    }
    String main = container.getMainListenerId();
    remember(container, endpoint);
    if (main != null && isDeadLetterHandler(main, endpoint)) {
      // Completed there, the key would make a later replay a duplicate.
      LOG.info("{}: not guarded, it handles dead letters", container.getListenerId());
      return false;
    }
    GuardedContainer made =
        new ContainerReader(this, container, endpoint, main == null ? null : mains.get(main))
            .read();
    if (made == null) {
      return false;
    }
    made.install();
    guarded.put(container, made);
    return true;
  }

  private void remember(
      AbstractMessageListenerContainer<?, ?> container, @Nullable KafkaListenerEndpoint endpoint) {
    String id = container.getListenerId();
    if (id == null || container.getMainListenerId() != null) {
      return;
    }
    mains.put(id, container);
    if (endpoint instanceof MethodKafkaListenerEndpoint<?, ?> annotated
        && annotated.getMethod() != null) {
      methods.put(id, annotated.getMethod());
    }
  }

  private boolean isDeadLetterHandler(String main, @Nullable KafkaListenerEndpoint endpoint) {
    Method method =
        endpoint instanceof MethodKafkaListenerEndpoint<?, ?> annotated
            ? annotated.getMethod()
            : null;
    Method handler = methods.get(main);
    return method != null && !method.equals(handler);
  }

  /** Composes what the container does with errors, once all others have set theirs. */
  void finish(MessageListenerContainer container) {
    GuardedContainer made = guarded.get(container);
    if (made != null) {
      made.composeErrorHandling();
    }
  }

  /**
   * Reads what there is to know of the topics of the containers that are guarded, and logs how.
   *
   * @throws IllegalArgumentException if one cannot be handled as its options say
   * @throws io.dedup.kafka.topic.TopicReadException if one cannot be read
   */
  void prepare() {
    Map.copyOf(guarded).values().forEach(GuardedContainer::prepare);
    shares.forEach(Runnable::run);
  }

  /** Guards the listener of a share group if its topics have options. */
  void guard(ShareKafkaMessageListenerContainer<?, ?> container, KafkaListenerEndpoint endpoint) {
    Runnable preparation = new GuardedShareContainer(this, container, endpoint).install();
    if (preparation != null) {
      shares.add(preparation);
    }
  }

  boolean isGuarded(MessageListenerContainer container) {
    return guarded.containsKey(container);
  }

  TopicRules<ListenerOptions> topics() {
    return topics;
  }

  @Nullable ListenerOptions defaults() {
    return defaults;
  }

  @Nullable Duration lease() {
    return lease;
  }

  int window() {
    return window;
  }

  ProcessClock clock() {
    return clock;
  }

  @Nullable ConsumerRecordRecoverer recoverer() {
    return recoverer;
  }

  @Nullable ObservationRegistry observations() {
    return observations;
  }

  Admins admins() {
    return admins;
  }

  /**
   * Returns the deduplicator of a mode.
   *
   * @throws IllegalArgumentException if there is none
   */
  Deduplicator deduplicator(String listener, ListenerMode mode) {
    Supplier<Deduplicator> found = deduplicators.get(mode);
    if (found == null) {
      throw new IllegalArgumentException(
          "listener "
              + listener
              + ", mode: was "
              + mode
              + ", must be one of "
              + Set.copyOf(deduplicators.keySet())
              + (mode == ListenerMode.LEASE
                  ? ""
                  : "; a transactional mode needs a database store and a transaction manager for it"));
    }
    return found.get();
  }

  @Override
  public void close() {
    admins.close();
  }

  /** Collects the parts. */
  public static final class Builder {
    private final Map<ListenerMode, Supplier<Deduplicator>> deduplicators =
        new EnumMap<>(ListenerMode.class);
    private TopicRules<ListenerOptions> topics = TopicRules.of(Map.of());
    private @Nullable ListenerOptions defaults;
    private @Nullable Duration lease;
    private int window = Integer.MAX_VALUE;
    private ProcessClock clock = ProcessClock.system();
    private @Nullable ObservationRegistry observations;
    private @Nullable ConsumerRecordRecoverer recoverer;
    private Function<Map<String, Object>, Admin> admins = Admin::create;

    private Builder() {}

    /** Sets what has effects happen once in a mode; a mode without is refused. */
    public Builder deduplicator(ListenerMode mode, Deduplicator value) {
      return deduplicator(mode, () -> value);
    }

    /** Does what the other does; {@code value} is asked when a listener wants the mode. */
    public Builder deduplicator(ListenerMode mode, Supplier<Deduplicator> value) {
      deduplicators.put(mode, value);
      return this;
    }

    /** Sets the options of annotated listeners whose topics have none of their own. */
    public Builder defaults(ListenerOptions options) {
      this.defaults = options;
      return this;
    }

    /** Sets the options of topics, by name or pattern; by default there are none. */
    public Builder topics(TopicRules<ListenerOptions> rules) {
      this.topics = rules;
      return this;
    }

    /**
     * Sets the lease of claims; by default it is over by the time the group gives a dead member's
     * partitions to others. Below {@code max.poll.interval.ms}.
     */
    public Builder lease(Duration value) {
      this.lease = value;
      return this;
    }

    /**
     * Sets how many records are claimed ahead at most, above 0; by default as many as the listener
     * handles in a third of a lease. A batch is always claimed as a whole.
     */
    public Builder window(int records) {
      if (records < 1) {
        throw new IllegalArgumentException("window: was " + records + ", must be at least 1");
      }
      this.window = records;
      return this;
    }

    /** Sets where containers observe their listeners, if they do. */
    public Builder observations(@Nullable ObservationRegistry registry) {
      this.observations = registry;
      return this;
    }

    /**
     * Sets who takes records of share groups that are not delivered any more, before they are
     * rejected: what is refused, and what is busy at its last delivery. Other groups have the error
     * handlers of their containers for that.
     */
    public Builder recoverer(@Nullable ConsumerRecordRecoverer value) {
      this.recoverer = value;
      return this;
    }

    /** Sets how clients are made that read what the brokers know of topics. */
    public Builder admins(Function<Map<String, Object>, Admin> factory) {
      this.admins = factory;
      return this;
    }

    Builder clock(ProcessClock value) {
      this.clock = value;
      return this;
    }

    /**
     * Returns the guards.
     *
     * @throws IllegalArgumentException if there is no deduplicator
     */
    public ListenerGuards build() {
      if (deduplicators.isEmpty()) {
        throw new IllegalArgumentException(
            "deduplicator: was set for no mode, must be for at least one");
      }
      return new ListenerGuards(this);
    }
  }
}
