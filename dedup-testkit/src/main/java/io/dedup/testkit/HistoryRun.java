// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.HistoryStep.ClaimPart;
import io.dedup.testkit.HistoryStep.Ending;
import io.dedup.testkit.HistoryStep.SettlePart;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Carries out the steps of one history, on keys of its own. A step that has nothing to act on does
 * nothing.
 */
final class HistoryRun {

  private static final Duration BACK_OFF = Duration.ofMinutes(20);
  private static final Duration LONG = Duration.ofDays(90);
  private static final StoredResult RESULT =
      new StoredResult("text/plain", new byte[] {0, 'r', -1});
  private static final StoredResult ANOTHER = new StoredResult("", new byte[0]);

  private final long seed;
  private final SideBySide store;
  private final ManualTime time;
  private final String scope = "history/" + UUID.randomUUID();
  private final List<IdempotencyKey> keys =
      IntStream.range(0, HistoryGenerator.KEYS)
          .mapToObj(i -> IdempotencyKey.of(scope, "key-" + i))
          .toList();
  private long requests;
  private final List<Claim> claims = new ArrayList<>();
  private final List<Claim> acquired = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private final List<ClaimRecord> copies = new ArrayList<>();

  HistoryRun(long seed, SideBySide store, ManualTime time) {
    this.seed = seed;
    this.store = store;
    this.time = time;
  }

  /**
   * Runs the steps.
   *
   * @throws AssertionError at the first difference
   */
  void run(List<HistoryStep> steps) {
    steps.forEach(this::run);
    keys.forEach(store::find);
  }

  private void run(HistoryStep step) {
    if (step instanceof HistoryStep.Batch batch) {
      send(new Sent(settlements(batch.settlements()), claims(batch.claims())));
    } else if (step instanceof HistoryStep.Resend resend && !sent.isEmpty()) {
      send(sent.get(resend.batch() % sent.size()));
    } else if (step instanceof HistoryStep.Advance advance) {
      moveTo(time.now().plus(advance.step()));
    } else if (step instanceof HistoryStep.AdvanceTo advance) {
      advance(advance);
    } else {
      cold(step);
    }
  }

  private void cold(HistoryStep step) {
    if (step instanceof HistoryStep.Issue issue) {
      store.issue(keys.get(issue.key()), issue.ttl());
    } else if (step instanceof HistoryStep.Resolve resolve) {
      resolve(resolve);
    } else if (step instanceof HistoryStep.Reopen reopen) {
      store.reopen(keys.get(reopen.key()), "olga", "wrong amount");
    } else if (step instanceof HistoryStep.Forget forget) {
      store.forget(keys.get(forget.key()));
    } else if (step instanceof HistoryStep.Copy copy) {
      store.find(keys.get(copy.key())).ifPresent(copies::add);
    } else if (step instanceof HistoryStep.Merge merge && !copies.isEmpty()) {
      merge(merge);
    } else if (step instanceof HistoryStep.Extend extend) {
      extend(extend);
    } else if (step instanceof HistoryStep.Purge purge) {
      store.purgeExpired(purge.limit());
      keys.forEach(store::find);
    }
  }

  private void send(Sent batch) {
    sent.add(batch);
    Exchange answers = store.exchange(batch.settlements(), batch.claims());
    for (int i = 0; i < batch.claims().size(); i++) {
      ClaimRequest request = batch.claims().get(i);
      if (answers.claimed().get(i) instanceof ClaimAnswer.Acquired answer) {
        acquired.add(request.claim(answer.token()));
        claims.add(request.claim(answer.token()));
      } else {
        claims.add(request.claim(0));
      }
    }
  }

  private List<SettleRequest> settlements(List<SettlePart> parts) {
    Set<IdempotencyKey> taken = new HashSet<>();
    List<SettleRequest> requests = new ArrayList<>();
    for (SettlePart part : parts) {
      List<Claim> choice = part.acquired() ? acquired : claims;
      if (part.claim() < choice.size()) {
        Claim claim = choice.get(choice.size() - 1 - part.claim());
        if (taken.add(claim.key())) {
          requests.add(new SettleRequest(claim, settlement(part.ending(), part.ttl())));
        }
      }
    }
    return requests;
  }

  private List<ClaimRequest> claims(List<ClaimPart> parts) {
    Set<Integer> taken = new HashSet<>();
    return parts.stream().filter(part -> taken.add(part.key())).map(this::request).toList();
  }

  private ClaimRequest request(ClaimPart part) {
    Duration ttl = part.ttl().compareTo(part.lease()) < 0 ? part.lease() : part.ttl();
    long floor =
        part.floorAheadMicros() == 0
            ? 0
            : ChronoUnit.MICROS.between(Instant.EPOCH, time.now()) + part.floorAheadMicros();
    ClaimRequest.Builder request =
        ClaimRequest.builder(keys.get(part.key()), "owner-" + part.owner(), part.lease(), ttl)
            .claimId(new ClaimId(~seed, ++requests))
            .origin(ContractSection.origin(part.origin()))
            .fingerprint(
                part.fingerprint() == 0
                    ? Fingerprint.none()
                    : new Fingerprint(
                        part.fingerprint() == 3 ? Fingerprint.JSON : Fingerprint.RAW,
                        part.fingerprint() * -7L))
            .tokenFloor(floor)
            .requireIssued(part.requireIssued())
            .force(part.force())
            .slide(part.slide())
            .start(part.start())
            .onLeaseExpired(part.onLeaseExpired())
            .onFailed(part.onFailed());
    return switch (part.notAfter()) {
      case NEVER -> request.build();
      case JUST_OVER -> request.notAfter(time.now().minus(ContractSection.MICRO)).build();
      case NOW -> request.notAfter(time.now()).build();
      case AT_LEASE_END -> request.notAfter(time.now().plus(part.lease())).build();
    };
  }

  private static Settlement settlement(Ending ending, Duration ttl) {
    return switch (ending) {
      case START -> new Settlement.Start();
      case RENEW -> new Settlement.Renew(ttl, ttl);
      case COMPLETE -> new Settlement.Complete(null, ttl);
      case COMPLETE_WITH_RESULT -> new Settlement.Complete(RESULT, ttl);
      case ATTACH -> new Settlement.Attach(RESULT);
      case ATTACH_ANOTHER -> new Settlement.Attach(ANOTHER);
      case FAIL -> new Settlement.Fail("failed", ttl, Duration.ZERO);
      case FAIL_WITH_BACK_OFF -> new Settlement.Fail("", ttl, BACK_OFF);
      case RELEASE -> new Settlement.Release();
    };
  }

  private void resolve(HistoryStep.Resolve step) {
    IdempotencyKey key = keys.get(step.key());
    long token = store.expected(key).map(ClaimRecord::token).orElse(0L) + step.tokenOff();
    Resolution resolution =
        switch (step.ending()) {
          case COMPLETE -> new Resolution.Done(null, BACK_OFF);
          case COMPLETE_WITH_RESULT -> new Resolution.Done(RESULT, BACK_OFF);
          default -> new Resolution.NotDone();
        };
    store.resolve(key, token, resolution, "olga", "asked the bank");
  }

  private void merge(HistoryStep.Merge step) {
    ClaimRecord copy = copies.get(step.copy() % copies.size());
    long token = copy.token() + step.tokenOff();
    ClaimRecord made =
        switch (step.making()) {
          case AS_IT_IS -> ClaimRecords.withToken(copy, token);
          case TOMBSTONE -> ClaimRecords.tombstone(copy, token);
          case DONE -> ClaimRecords.done(copy, token, copy.expires());
          case DONE_FOR_LONG -> ClaimRecords.done(copy, token, time.now().plus(LONG));
        };
    store.merge(Map.of(keys.get(step.key()), made));
  }

  private void extend(HistoryStep.Extend step) {
    if (step.keys().isEmpty()) {
      store.extendScope(scope, step.ttl());
    } else {
      store.extend(step.keys().stream().map(keys::get).toList(), step.ttl());
    }
    keys.forEach(store::find);
  }

  private void advance(HistoryStep.AdvanceTo step) {
    store
        .expected(keys.get(step.key()))
        .map(record -> moment(record, step).plus(step.off()))
        .filter(moment -> moment.isAfter(time.now()))
        .ifPresent(this::moveTo);
  }

  private void moveTo(Instant moment) {
    time.advanceTo(moment);
    keys.forEach(store::find);
  }

  private static Instant moment(ClaimRecord record, HistoryStep.AdvanceTo step) {
    return switch (step.moment()) {
      case BUSY_UNTIL -> record.busyUntil();
      case EXPIRES -> record.expires();
    };
  }

  private record Sent(List<SettleRequest> settlements, List<ClaimRequest> claims) {}
}
