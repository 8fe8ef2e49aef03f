// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * 128 bits that stand for a state. Of n states, two share theirs with a probability of n²/2¹²⁹:
 * below 10⁻²⁵ for the millions that are walked here.
 *
 * <p>Times that no rule reads are left out: creation, update, and the end of a lease that is
 * settled. Where workers differ in nothing, the digest is the smallest of those with the workers in
 * any order.
 */
final class Digest {

  private final int[] order;
  long high = 1;
  long low = 2;

  private Digest(int[] order) {
    this.order = order;
  }

  static Digest of(World world, Setting setting) {
    int workers = setting.size().workers();
    if (!setting.isSymmetric()) {
      return new Digest(Orders.identity(workers)).add(world);
    }
    Digest smallest = null;
    for (int[] order : Orders.of(workers)) {
      if (isSorted(world, order)) {
        Digest digest = new Digest(order).add(world);
        smallest = smallest == null || digest.isBelow(smallest) ? digest : smallest;
      }
    }
    return Objects.requireNonNull(smallest, "one order is sorted");
  }

  /**
   * Whether the workers stand by what can be told of them without naming them: saves most digests.
   */
  private static boolean isSorted(World world, int[] order) {
    for (Worker one : world.workers()) {
      for (Worker other : world.workers()) {
        if (order[one.number()] < order[other.number()] && rank(one) > rank(other)) {
          return false;
        }
      }
    }
    return true;
  }

  private static long rank(Worker worker) {
    return (worker.token() * 31 + worker.claims()) * 31 + worker.phase().name().length();
  }

  private boolean isBelow(Digest other) {
    return high < other.high || (high == other.high && low < other.low);
  }

  private Digest add(World world) {
    add(world.tick());
    add(world.troubles());
    add(world.effects());
    add(world.ledger());
    add(world.record());
    for (int position = 0; position < order.length; position++) {
      for (Worker worker : world.workers()) {
        if (order[worker.number()] == position) {
          add(worker);
        }
      }
    }
    long highSum = 0;
    long lowSum = 0;
    for (Command command : world.sent()) {
      // A set: summed up, so that its order does not count.
      Digest one = new Digest(order);
      one.add(command);
      highSum += mixed(one.high);
      lowSum += mixed(one.low);
    }
    add(highSum);
    add(lowSum);
    high = mixed(high);
    low = mixed(low);
    return this;
  }

  private void add(Ledger ledger) {
    add(ledger.standing);
    add(ledger.newest);
    add(ledger.token);
    add(ledger.busyUntil);
    add(ledger.keptUntil);
    add(ledger.start.code());
    add(ledger.doubt ? 1 : 0);
    add(ledger.starts);
    add(ledger.forced);
    add(ledger.highest);
  }

  private void add(@Nullable ClaimRecord record) {
    if (record == null) {
      add(-1);
      return;
    }
    boolean isBusy = record.state() == State.PROCESSING || record.state() == State.FAILED;
    add(record.state().code());
    add(record.claimId());
    add(record.token());
    add(isBusy ? record.busyUntil().toEpochMilli() : 0);
    add(record.start().code());
    add(record.takenOver() ? 1 : 0);
    add(record.attempts());
    add(record.fingerprint().value());
    add(record.origin().position());
    add(record.forced().hashCode());
    add(record.result() == null ? 0 : 1);
    add(record.expires().toEpochMilli());
  }

  private void add(Worker worker) {
    add(worker.phase());
    add(worker.claims());
    add(worker.token());
    add((worker.takenOver() ? 1 : 0) + (worker.wasDone() ? 2 : 0));
    add(worker.seen());
    if (worker.unanswered() != null) {
      add(worker.unanswered());
    }
  }

  private void add(Command command) {
    add(command.verb());
    add(command.claimId());
    add(command.token());
    add(command.notAfter());
  }

  private void add(Enum<?> value) {
    add(value.name().hashCode());
  }

  private void add(@Nullable ClaimId id) {
    if (id == null || id.process() == 0) {
      add(id == null ? -1 : 0);
      return;
    }
    add(((order[(int) id.process() - 1] + 1L) << 32) | id.sequence());
  }

  /** Two lanes of multiplying and rotating, by odd constants that have nothing in common. */
  private void add(long value) {
    high = Long.rotateLeft((high ^ value) * 0x9E3779B97F4A7C15L, 29);
    low = Long.rotateLeft((low + value) * 0xC2B2AE3D27D4EB4FL, 31);
  }

  /** The finaliser of MurmurHash3: each bit that came in changes half of those that go out. */
  private static long mixed(long bits) {
    long x = bits;
    x ^= x >>> 33;
    x *= 0xFF51AFD7ED558CCDL;
    x ^= x >>> 33;
    x *= 0xC4CEB9FE1A85EC53L;
    return x ^ (x >>> 33);
  }
}
