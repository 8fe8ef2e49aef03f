// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.HotKeyStore;
import io.dedup.claim.HotKeys;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.claim.TieredStore;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the effect that a key stands for happen once, however often it is asked for. Thread-safe.
 *
 * <pre>{@code
 * Deduplicator dedup = Deduplicator.builder(store).policy(p -> p.ttl(Duration.ofDays(7))).build();
 * Outcome<Receipt> outcome =
 *     dedup.execute(IdempotencyKey.of("payments", id), ctx -> gateway.charge(id, ctx.fencingToken()));
 * }</pre>
 *
 * <p>Built with a store alone, each key is claimed with a lease, and completed after its handler.
 * Built with an inbox and {@link Transactions}, claim, handler and completion are one database
 * transaction.
 */
public final class Deduplicator implements AutoCloseable {

  /** The most completions that may be allowed to wait to be stored. */
  public static final int MAX_UNSETTLED = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(Deduplicator.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Policy policy;
  private final Execution execution;
  private final @Nullable Execution joined;
  private final @Nullable TransactionalBatch together;
  private final Transactions transactions;
  private final LeaseKeeper keeper;
  private final Claims claims;
  private final IntFunction<Claims> claimsOf;
  private final List<Claims> moreClaims = new CopyOnWriteArrayList<>();
  private final KeysInHand keys = new KeysInHand();
  private final Listeners listeners;
  private final ProcessClock clock;
  private final String owner;
  private final Duration commandTimeout;
  private volatile boolean closed;

  private Deduplicator(Builder builder) {
    this.policy = builder.policy;
    this.clock = builder.clock;
    this.owner = builder.owner;
    this.commandTimeout = builder.commandTimeout;
    this.listeners = new Listeners(builder.listeners);
    StoreCalls calls = new StoreCalls(clock, builder.commandTimeout, listeners);
    this.keeper = new LeaseKeeper(calls, listeners);
    LeaseSettling settling = new LeaseSettling(calls, listeners);
    LeaseStart start = new LeaseStart(calls, keeper, settling, listeners, owner);
    this.claimsOf =
        maxUnsettled ->
            new Claims(
                builder.store,
                calls,
                keeper,
                settling,
                start,
                listeners,
                keys,
                new SettleQueue(builder.store, calls, settling, maxUnsettled, builder.byHand),
                owner);
    this.claims = claimsOf.apply(builder.maxUnsettled);
    this.transactions = builder.transactions;
    ClaimStore inbox = builder.inbox;
    if (inbox == null) {
      Transactions around = builder.afterCommit;
      this.together = null;
      this.joined = null;
      this.execution =
          new LeaseExecution(
              builder.store,
              calls,
              keeper,
              settling,
              start,
              around == null ? Transactions.none() : around,
              listeners,
              owner);
    } else {
      HotKeyStore remembering = builder.store instanceof HotKeyStore hot ? hot : null;
      HotKeys hotKeys = remembering == null ? null : remembering.keys();
      ClaimStore decides = remembering == null ? builder.store : remembering.store();
      TieredStore tiers = decides instanceof TieredStore tiered ? tiered : null;
      ClaimStore database = tiers == null ? decides : tiers.database();
      Transactions port = builder.transactions;
      Front front = new Front(tiers, hotKeys, clock, listeners);
      this.together =
          new TransactionalBatch(database, inbox, port, calls, front, keys, listeners, owner);
      InboxSteps steps = new InboxSteps(database, inbox, calls, listeners, hotKeys);
      InboxSteps joinedSteps = new InboxSteps(database, inbox, calls, listeners, null);
      this.joined = new JoinedExecution(port, front, calls, joinedSteps, owner);
      this.execution =
          new TransactionalExecution(database, port, front, calls, steps, listeners, owner);
    }
  }

  /** Returns a builder of a deduplicator on {@code store}. */
  public static Builder builder(ClaimStore store) {
    return new Builder(store);
  }

  /** Returns whether claim, handler and completion are one database transaction. */
  public boolean isTransactional() {
    return together != null;
  }

  /** Returns how long a command to the store may take until it counts as unanswered. */
  public Duration commandTimeout() {
    return commandTimeout;
  }

  /** Returns the policy of calls that name none. */
  public Policy policy() {
    return policy;
  }

  /**
   * Runs the handler unless the effect of {@code key} is done or somebody is at it. What the
   * handler answers is not kept.
   *
   * @return what became of it; a handler's exception is an outcome, too
   * @throws StoreException if there is trouble with the store. The effect is not done: the handler
   *     was not started, its transaction was rolled back, or it threw this itself
   * @throws Error what the handler threw, after its failure was stored
   */
  public <T> Outcome<T> execute(IdempotencyKey key, Handler<T> handler) {
    return execute(Delivery.of(key), handler, ResultCodec.none(), policy);
  }

  /**
   * Does what {@link #execute(IdempotencyKey, Handler)} does, for a delivery of which more is
   * known.
   */
  public <T> Outcome<T> execute(Delivery delivery, Handler<T> handler) {
    return execute(delivery, handler, ResultCodec.none(), policy);
  }

  /**
   * Does what {@link #execute(IdempotencyKey, Handler)} does, keeps what the handler answers for
   * duplicates, and follows a policy of its own.
   */
  public <T> Outcome<T> execute(
      Delivery delivery, Handler<T> handler, ResultCodec<T> codec, Policy ownPolicy) {
    return execute(execution, new Call<>(delivery, handler, codec, ownPolicy));
  }

  /**
   * Does what {@link #execute(Delivery, Handler, ResultCodec, Policy)} does, as part of the
   * transaction of this thread if this deduplicator is transactional and there is one of its
   * database: then claim, effect and completion are stored when that commits, or not at all. Where
   * there is none, and under a lease, there is no difference.
   *
   * <p>After {@link Outcome.Failed} and exceptions that transaction can only be rolled back.
   *
   * @throws TransactionConflict if the database ended the joined transaction in favour of another;
   *     whoever began it may try the whole again
   */
  public <T> Outcome<T> executeJoined(
      Delivery delivery, Handler<T> handler, ResultCodec<T> codec, Policy ownPolicy) {
    Execution one = joined != null && transactions.isJoinable() ? joined : execution;
    return execute(one, new Call<>(delivery, handler, codec, ownPolicy));
  }

  private <T> Outcome<T> execute(Execution how, Call<T> call) {
    Delivery delivery = call.delivery();
    Decision<T> decision = waiting(how, call);
    Outcome<T> outcome = decision.outcome();
    log(delivery, outcome);
    listeners.tell(
        new DedupEvent.Decided(
            delivery.key(), outcome, delivery.label(), decision.waited(), call.policy().ttl()));
    return outcome;
  }

  private <T> Decision<T> waiting(Execution how, Call<T> call) {
    long started = clock.nanoTime();
    long deadline = started + call.policy().inProgressWait().toNanos();
    Duration waited = Duration.ZERO;
    while (true) {
      Outcome<T> outcome = once(how, call);
      long left = deadline - clock.nanoTime();
      boolean busy = outcome instanceof Outcome.InProgress;
      if (!busy || left <= 0 || isMine(call.delivery().key())) {
        return new Decision<>(outcome, waited);
      }
      try {
        clock.sleep(shorter(Duration.ofNanos(left), POLL_INTERVAL));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Decision<>(outcome, waited);
      }
      waited = Duration.ofNanos(clock.nanoTime() - started);
    }
  }

  /** An outcome, and how long another was waited for before it. */
  private record Decision<T>(Outcome<T> outcome, Duration waited) {}

  /**
   * Whether this very thread has the key, in a handler or in a transaction: waiting for it would
   * never end.
   */
  private boolean isMine(IdempotencyKey key) {
    Thread me = Thread.currentThread();
    return keys.isTakenBy(me, key) || keeper.isDeferredBy(me, key);
  }

  private <T> Outcome<T> once(Execution how, Call<T> call) {
    if (closed) {
      throw new StoreUnavailable("the deduplicator is closed: nobody would renew the lease", null);
    }
    IdempotencyKey key = call.delivery().key();
    if (!keys.take(key)) {
      return new Outcome.InProgress<>(owner, call.policy().lease());
    }
    try {
      return how.execute(call);
    } finally {
      keys.giveBack(key);
    }
  }

  /**
   * Has the effects of several deliveries happen once, in one database transaction: one exchange
   * claims their keys, one completes them. Which delivery failed is not known, so no failure is
   * remembered.
   *
   * @return an outcome for each delivery, in their order
   * @throws IllegalStateException if this deduplicator is not transactional
   * @throws StoreException if there is trouble with the store; nothing is done
   * @throws Exception what the handler threw, after all was rolled back; or the commit's refusal
   */
  public List<Outcome<StoredResult>> executeTogether(List<Ask> asks, BatchHandler handler)
      throws Exception {
    if (together == null) {
      throw new IllegalStateException("deduplicator: was not transactional, must be for a batch");
    }
    if (closed) {
      throw new StoreUnavailable("the deduplicator is closed", null);
    }
    return together.execute(asks, handler);
  }

  /**
   * Returns the half that claims many keys at once, with a lease each, whether this deduplicator is
   * transactional or not.
   */
  public Claims claims() {
    return claims;
  }

  /** Renews the leases that are due now. */
  void renewDue() {
    keeper.renewDue();
  }

  /**
   * Returns a half like {@link #claims()} with a bound of its own, for an adapter that waits for
   * each completion anyway: then the bound is the number of its deliveries in hand, and nobody has
   * to wait for room.
   *
   * @param maxUnsettled how many completions may wait to be stored, 1 to {@value #MAX_UNSETTLED}
   */
  public Claims claims(int maxUnsettled) {
    checkMaxUnsettled(maxUnsettled);
    Claims more = claimsOf.apply(maxUnsettled);
    moreClaims.add(more);
    if (closed) {
      more.close();
    }
    return more;
  }

  private static void checkMaxUnsettled(int value) {
    if (value < 1 || value > MAX_UNSETTLED) {
      throw new IllegalArgumentException(
          "max-unsettled: was " + value + ", must be 1 to " + MAX_UNSETTLED);
    }
  }

  /** Says what happened and not to what: neither keys nor answers belong in a log. */
  static void log(Delivery delivery, Outcome<?> outcome) {
    String kind = outcome.getClass().getSimpleName();
    boolean wanted = outcome instanceof Outcome.Conflict || outcome instanceof Outcome.InDoubt;
    LOG.atLevel(wanted ? Level.WARN : Level.DEBUG)
        .log("{} in scope {}, from {}", kind, delivery.key().scope(), delivery.origin());
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** Takes no more calls, and stops renewing leases: handlers that still run may lose theirs. */
  @Override
  public void close() {
    closed = true;
    claims.close();
    moreClaims.forEach(Claims::close);
    keeper.close();
  }

  /** Collects the parts of a deduplicator. */
  public static final class Builder {
    private final ClaimStore store;
    private final List<DedupListener> listeners = new ArrayList<>();
    private Policy policy = Policy.defaults();
    private @Nullable ClaimStore inbox;
    private @Nullable Transactions afterCommit;
    private Transactions transactions = Transactions.none();
    private ProcessClock clock = ProcessClock.system();
    private Duration commandTimeout = Duration.ofSeconds(10);
    private int maxUnsettled = 100;
    private boolean byHand;
    private String owner =
        "pid-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID().toString().substring(0, 8);

    private Builder(ClaimStore store) {
      this.store = store;
    }

    /** Changes the default policy. */
    public Builder policy(UnaryOperator<Policy.Builder> changes) {
      this.policy = policy.with(changes);
      return this;
    }

    /** Sets the policy. */
    public Builder policy(Policy value) {
      this.policy = value;
      return this;
    }

    /**
     * Makes claim, handler and completion one transaction.
     *
     * <p>Where the deduplicator's store is a {@link TieredStore}, its front answers "already done"
     * before a transaction is begun, and is written after commits; losing it costs speed only.
     *
     * @param transactionalInbox a store whose exchanges take part in the transaction of their
     *     thread
     * @param port begins and commits that transaction; not {@link Transactions#none()}
     */
    public Builder transactional(ClaimStore transactionalInbox, Transactions port) {
      if (port == Transactions.none()) {
        throw new IllegalArgumentException(
            "transactional: was without transactions, must have a port");
      }
      this.inbox = transactionalInbox;
      this.transactions = port;
      return this;
    }

    /**
     * Lets completions wait for the commit of a transaction that is active when a handler returns.
     */
    public Builder afterCommitOf(Transactions port) {
      this.afterCommit = port;
      return this;
    }

    /** Adds somebody to be told what happens. */
    public Builder listener(DedupListener listener) {
      this.listeners.add(listener);
      return this;
    }

    /**
     * Sets how long a command to the store may take until it counts as unanswered; by default 10 s.
     * Commands that arrive later than this and a lease are refused by the store.
     */
    public Builder commandTimeout(Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException(
            "command-timeout: was " + value + ", must be above PT0S");
      }
      if (value.compareTo(ClaimRequest.TTL_MAX) > 0) {
        throw new IllegalArgumentException(
            "command-timeout: was " + value + ", must be at most " + ClaimRequest.TTL_MAX);
      }
      this.commandTimeout = value;
      return this;
    }

    /**
     * Sets how many effects of {@link Claims} may be done and not known to be stored as done, the
     * next one in hand included, and so how many may be done again after a crash; by default 100, 1
     * to 10,000. With 1 each is stored before the next begins.
     */
    public Builder maxUnsettled(int value) {
      checkMaxUnsettled(value);
      this.maxUnsettled = value;
      return this;
    }

    /**
     * Sets the name by which others see who has a key; by default the process id and random
     * letters. Not blank, at most {@value ClaimRequest#OWNER_MAX} characters, no NUL.
     */
    public Builder owner(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("owner: was blank, must name the process");
      }
      // A claim checks the rest: let it be refused now, and not at the first delivery.
      IdempotencyKey any = IdempotencyKey.of("owner", "check");
      ClaimRequest.builder(any, name, policy.lease(), policy.ttl()).build();
      this.owner = name;
      return this;
    }

    /**
     * Lets nothing happen beside the caller's thread, so that a test can replay it: completions are
     * sent by whoever waits for them, and leases renewed by {@link Deduplicator#renewDue()}.
     */
    Builder byHand() {
      this.byHand = true;
      return this;
    }

    /** Sets the clock of the process; by default the JVM's. */
    public Builder clock(ProcessClock value) {
      this.clock = value;
      return this;
    }

    /**
     * Returns the deduplicator, which renews leases from now on.
     *
     * @throws IllegalArgumentException if completions are to be part of a transaction and to follow
     *     one, there is a store in front of no inbox, or the policy is one that transactions have
     *     no use for
     */
    public Deduplicator build() {
      if (inbox != null && afterCommit != null) {
        throw new IllegalArgumentException(
            "after-commit-of: was set beside transactional, must be one of the two");
      }
      if (inbox != null) {
        TransactionalExecution.check(policy);
      }
      Deduplicator deduplicator = new Deduplicator(this);
      if (!byHand) {
        deduplicator.keeper.start();
      }
      return deduplicator;
    }
  }
}
