// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Holder;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ForwardingClaimStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store in the compact layout whose answers are filled in with what it has given up, from memory.
 * So the contract can look at what it has not: states, times, who may claim and settle, counts.
 */
final class FilledIn extends ForwardingClaimStore {

  /** The records of completed keys as they were before; shared by the processes of one test. */
  private final Map<IdempotencyKey, ClaimRecord> before;

  private FilledIn(ClaimStore store, Map<IdempotencyKey, ClaimRecord> before) {
    super(store);
    this.before = before;
  }

  static FilledIn of(ClaimStore store) {
    return new FilledIn(store, new ConcurrentHashMap<>());
  }

  FilledIn another(ClaimStore process) {
    return new FilledIn(process, before);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    for (SettleRequest request : settlements) {
      if (request.settlement() instanceof Settlement.Complete) {
        remember(request.claim().key());
      }
    }
    Exchange answers = super.exchange(settlements, claims);
    List<SettleAnswer> settled = new ArrayList<>();
    for (int i = 0; i < settlements.size(); i++) {
      settled.add(filled(settlements.get(i).claim().key(), answers.settled().get(i)));
    }
    List<ClaimAnswer> claimed = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      claimed.add(filled(claims.get(i).key(), answers.claimed().get(i)));
    }
    return new Exchange(answers.storeTime(), settled, claimed);
  }

  private void remember(IdempotencyKey key) {
    store()
        .find(key)
        .filter(record -> record.state() == State.PROCESSING)
        .ifPresent(record -> before.put(key, record));
  }

  private SettleAnswer filled(IdempotencyKey key, SettleAnswer answer) {
    return answer instanceof SettleAnswer.Fenced fenced
        ? new SettleAnswer.Fenced(filled(key, fenced.current()))
        : answer;
  }

  private ClaimAnswer filled(IdempotencyKey key, ClaimAnswer answer) {
    ClaimRecord known = before.get(key);
    if (answer instanceof ClaimAnswer.Completed done && known != null && done.result() == null) {
      long token = token(known, done.token(), done.completed());
      return new ClaimAnswer.Completed(
          null, known.origin(), token, done.completed(), done.expires());
    }
    return answer instanceof ClaimAnswer.Fenced fenced
        ? new ClaimAnswer.Fenced(filled(key, fenced.current()))
        : answer;
  }

  private Holder filled(IdempotencyKey key, Holder holder) {
    ClaimRecord known = before.get(key);
    boolean isCompact = holder.state() == State.SUCCEEDED && holder.owner().isEmpty();
    return isCompact && known != null
        ? new Holder(State.SUCCEEDED, known.token(), known.owner())
        : holder;
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    Map<IdempotencyKey, ClaimRecord> found = new HashMap<>(super.find(keys));
    found.replaceAll((key, record) -> filled(key, record));
    return found;
  }

  private ClaimRecord filled(IdempotencyKey key, ClaimRecord record) {
    ClaimRecord known = before.get(key);
    boolean isCompact =
        record.state() == State.SUCCEEDED
            && record.claimId().equals(ClaimId.none())
            && record.error() == null;
    if (!isCompact || known == null) {
      return record;
    }
    return new ClaimRecord(
        State.SUCCEEDED,
        known.claimId(),
        token(known, record.token(), record.updated()),
        known.owner(),
        record.busyUntil(),
        known.start(),
        known.takenOver(),
        0,
        known.fingerprint(),
        known.origin(),
        known.forced(),
        null,
        null,
        known.created(),
        record.updated(),
        record.expires());
  }

  /** A token that is larger than the time of the completion has been kept. */
  private static long token(ClaimRecord known, long token, Instant completed) {
    return token > ChronoUnit.MICROS.between(Instant.EPOCH, completed) ? token : known.token();
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return filled(key, super.resolve(key, token, resolution, who, why));
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    records.forEach(
        (key, record) -> {
          if (record.state() == State.SUCCEEDED) {
            before.merge(key, record, (a, b) -> a.token() >= b.token() ? a : b);
          }
        });
    return super.merge(records);
  }
}
