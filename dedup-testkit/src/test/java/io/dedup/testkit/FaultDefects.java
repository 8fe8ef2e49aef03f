// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Holder;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Defects of what a store does when its network fails. */
final class FaultDefects {

  private FaultDefects() {}

  /**
   * A client with a fault.
   *
   * @param says what it does wrong
   * @param stores makes a client of the server behind the port
   */
  record FaultDefect(String says, Client stores) {
    @Override
    public String toString() {
      return says;
    }
  }

  /** Makes a client. */
  interface Client {
    ClaimStore of(CallServer server, int port);
  }

  static List<FaultDefect> all() {
    return List.of(
        claiming("says in progress", new ClaimAnswer.InProgress("", Duration.ZERO, Origin.none())),
        claiming("says acquired", new ClaimAnswer.Acquired(1, 1, false, Duration.ofMinutes(10))),
        claiming(
            "says done",
            new ClaimAnswer.Completed(null, Origin.none(), 1, Instant.EPOCH, Instant.MAX)),
        settling("says applied", new SettleAnswer.Applied()),
        settling("says fenced", new SettleAnswer.Fenced(Holder.nobody())),
        finding(),
        counting(),
        new FaultDefect(
            "lets the driver's exception through",
            (server, port) ->
                new NetworkedStore(server, port) {
                  @Override
                  <T> T unavailable(Function<ClaimStore, T> question, IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }),
        new FaultDefect(
            "never connects again",
            (server, port) ->
                new NetworkedStore(server, port) {
                  @Override
                  void giveUp() {}
                }),
        new FaultDefect("sends a claim again under another id", NewIdForEachTry::new),
        new FaultDefect(
            "answers the time without the server",
            (server, port) ->
                new NetworkedStore(server, port) {
                  @Override
                  public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                    return s.isEmpty() && c.isEmpty()
                        ? new Exchange(ProcessClock.system().now(), List.of(), List.of())
                        : super.exchange(s, c);
                  }
                }));
  }

  private static FaultDefect claiming(String says, ClaimAnswer answer) {
    return new FaultDefect(
        says + " when a claim gets no reply",
        (server, port) ->
            new NetworkedStore(server, port) {
              @Override
              public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                try {
                  return super.exchange(s, c);
                } catch (StoreUnavailable e) {
                  if (c.isEmpty()) {
                    throw e;
                  }
                  return new Exchange(Instant.EPOCH, List.of(), List.of(answer));
                }
              }
            });
  }

  private static FaultDefect settling(String says, SettleAnswer answer) {
    return new FaultDefect(
        says + " when a settlement gets no reply",
        (server, port) ->
            new NetworkedStore(server, port) {
              @Override
              public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                try {
                  return super.exchange(s, c);
                } catch (StoreUnavailable e) {
                  if (s.isEmpty()) {
                    throw e;
                  }
                  return new Exchange(Instant.EPOCH, List.of(answer), List.of());
                }
              }
            });
  }

  private static FaultDefect finding() {
    return new FaultDefect(
        "finds nothing when it gets no reply",
        (server, port) ->
            new NetworkedStore(server, port) {
              @Override
              public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
                try {
                  return super.find(keys);
                } catch (StoreUnavailable e) {
                  return Map.of();
                }
              }
            });
  }

  private static FaultDefect counting() {
    return new FaultDefect(
        "counts nothing when it gets no reply",
        (server, port) ->
            new NetworkedStore(server, port) {
              @Override
              public StoreStats stats() {
                try {
                  return super.stats();
                } catch (StoreUnavailable e) {
                  return new StoreStats(0, 0, 0, 0, 0, 0);
                }
              }
            });
  }

  /** Takes each call for a new claim. */
  private static final class NewIdForEachTry extends NetworkedStore {

    NewIdForEachTry(CallServer server, int port) {
      super(server, port);
    }

    @Override
    public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
      return super.exchange(
          settlements, claims.stream().map(c -> With.with(c, "claimId", ClaimId.next())).toList());
    }
  }
}
