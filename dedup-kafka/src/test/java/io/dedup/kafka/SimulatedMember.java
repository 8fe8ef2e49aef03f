// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.ByHand;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A process with a poll loop, in a simulated world. */
final class SimulatedMember implements ProcessClock {

  static final Duration LEASE = Duration.ofSeconds(6);
  private static final int ATTEMPTS = 3;
  private static final Duration TURN = Duration.ofSeconds(100);
  private static final Duration SETTLE = Duration.ofSeconds(60);

  private final SimulatedWorld world;
  private final Schedule schedule;
  private final String name;
  private final Deduplicator deduplicator;
  private final PollLoop loop;
  private boolean dead;
  private boolean frozen;
  private boolean busy;
  private boolean inBackground;
  private boolean sending;

  SimulatedMember(SimulatedWorld world, Schedule schedule, String name, int maxUnsettled) {
    this.world = world;
    this.schedule = schedule;
    this.name = name;
    this.deduplicator =
        ByHand.build(
            Deduplicator.builder(new SimulatedStore(world.store(), this, schedule))
                .owner(name)
                .clock(this)
                .maxUnsettled(maxUnsettled)
                .commandTimeout(Duration.ofSeconds(1))
                .policy(p -> p.lease(LEASE).maxAttempts(ATTEMPTS)));
    RecordDeduplicator records =
        RecordDeduplicator.builder(deduplicator, "simulated")
            .topic(
                SimulatedWorld.TOPIC,
                t -> t.key(KeyExtractors.header(Bench.ID)).ttl(Duration.ofDays(30)))
            .clock(this)
            .build();
    records.prepare();
    RecordGuard guard = new LeaseGuard<>(world.reader(), records, this::handle, this);
    RecordStep step =
        new RecordStep(
            guard,
            new BackOff(Duration.ZERO, Duration.ofMillis(200), 2),
            letter -> {
              world.kept(this, letter);
              return CompletableFuture.completedFuture(null);
            },
            this);
    this.loop =
        new PollLoop(
            new SimulatedClient(world, this, schedule).asConsumer(),
            guard,
            step,
            partitions -> {},
            this,
            TURN,
            SETTLE);
  }

  PollLoop loop() {
    return loop;
  }

  boolean mayTakeATurn() {
    return !dead && !frozen && !busy;
  }

  boolean isAlive() {
    return !dead;
  }

  boolean isFrozen() {
    return frozen;
  }

  void takeATurn() {
    within(loop::turn);
  }

  void leave() {
    tell("leaves");
    within(() -> loop.close(SETTLE));
    dead = true;
    deduplicator.close();
  }

  void die() {
    tell("dies");
    dead = true;
    world.died(this);
  }

  private void within(Runnable action) {
    busy = true;
    try {
      action.run();
    } catch (ProcessDied e) {
      if (!dead) {
        throw new IllegalStateException("not dead", e);
      }
    } finally {
      busy = false;
    }
  }

  /** Whether it is a thread in the background which is at work: nothing happens to that. */
  boolean isInBackground() {
    return inBackground;
  }

  /** What its threads in the background do while time passes. */
  void goOn() {
    if (!dead && !frozen) {
      inBackground = true;
      try {
        ByHand.renewDue(deduplicator);
        if (!sending) {
          ByHand.sendSome(deduplicator);
        }
      } finally {
        inBackground = false;
      }
    }
  }

  /** Something takes its time: others go on, and this process may end. */
  void meanwhile(String what) {
    if (dead) {
      throw new ProcessDied();
    }
    if (schedule.happens(Fault.CRASH)) {
      tell("is at " + what);
      die();
      throw new ProcessDied();
    }
    if (schedule.happens(Fault.FREEZE)) {
      tell("stands still at " + what);
      frozen = true;
      world.longPause(this);
      frozen = false;
      tell("goes on at " + what);
    }
    if (schedule.happens(Fault.INTERLEAVING)) {
      world.letOthers(this, 1);
    }
  }

  /** A command is under way: the thread that sends in the background waits. */
  void sending(boolean value) {
    sending = value;
  }

  /** Between such a claim and the handler there is nothing that could end a process. */
  void claimedAsStarted(IdempotencyKey key) {
    world.started(key);
  }

  private void handle(ConsumerRecord<byte[], String> record, DedupContext context) {
    world.begins(this, record, context.key());
    try {
      meanwhile("the beginning of a handler");
      if (world.kills(record)) {
        die();
        throw new ProcessDied();
      }
      if (schedule.happens(Fault.SLOW_HANDLER)) {
        tell("is slow");
        world.letOthers(this, 4);
        world.advance(LEASE.multipliedBy(2));
      }
      if (world.isPoison(record) || schedule.happens(Fault.FAILING_HANDLER)) {
        tell("fails");
        throw new IllegalStateException("of the handler");
      }
      world.effect(this, record);
      meanwhile("the end of a handler");
    } finally {
      world.ends(this, record);
    }
  }

  void tell(String what) {
    schedule.tell(name + " " + what);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Override
  public Instant now() {
    return world.time().now();
  }

  @Override
  public long nanoTime() {
    return world.time().nanos();
  }

  @Override
  public void sleep(Duration duration) {
    if (dead) {
      throw new ProcessDied();
    }
    world.advance(duration);
  }

  @Override
  public String toString() {
    return name;
  }
}
