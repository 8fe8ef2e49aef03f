// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns each answer to a claim into an outcome; what an acquired key leads to is the caller's
 * business.
 *
 * @param ask what was asked for
 * @param codec reads what is stored
 * @param run what to do with the key
 */
record Answers<T>(Ask ask, ResultCodec<T> codec, Function<ClaimAnswer.Acquired, Outcome<T>> run)
    implements ClaimAnswer.Cases<Outcome<T>> {

  Answers(Call<T> call, Function<ClaimAnswer.Acquired, Outcome<T>> run) {
    this(call.ask(), call.codec(), run);
  }

  /**
   * Returns what the effect answered, as duplicates get it.
   *
   * @throws StoreCorrupt if the codec cannot read what is stored; the effect is done, and its
   *     answer is not null
   * @throws StoreException if the codec reads from a store that has trouble; asked again, it may
   *     tell
   */
  static <T> @Nullable T decoded(ResultCodec<T> codec, @Nullable StoredResult stored) {
    try {
      return codec.decode(stored);
    } catch (StoreException | TransactionConflict e) {
      throw e;
    } catch (RuntimeException e) {
      throw new StoreCorrupt(
          "result: was " + stored + ", must be what the codec of the call reads", e);
    }
  }

  @Override
  public Outcome<T> acquired(ClaimAnswer.Acquired answer) {
    return run.apply(answer);
  }

  @Override
  public Outcome<T> inProgress(ClaimAnswer.InProgress answer) {
    return new Outcome.InProgress<>(answer.owner(), answer.leaseLeft());
  }

  @Override
  public Outcome<T> completed(ClaimAnswer.Completed answer) {
    return new Outcome.Duplicate<>(
        decoded(codec, answer.result()),
        DuplicateReason.of(ask.delivery().origin(), answer.origin()),
        answer.origin(),
        answer.completed());
  }

  @Override
  public Outcome<T> failed(ClaimAnswer.Failed answer) {
    return new Outcome.FailedBefore<>(answer.error());
  }

  @Override
  public Outcome<T> inDoubt(ClaimAnswer.InDoubt answer) {
    return new Outcome.InDoubt<>(answer.owner(), answer.token(), answer.since());
  }

  @Override
  public Outcome<T> conflict(ClaimAnswer.Conflict answer) {
    return new Outcome.Conflict<>(answer.stored(), ask.fingerprint());
  }

  @Override
  public Outcome<T> notIssued(ClaimAnswer.NotIssued answer) {
    return new Outcome.NotIssued<>();
  }

  @Override
  public Outcome<T> fenced(ClaimAnswer.Fenced answer) {
    throw unexpected("Fenced for a claim that has not settled, by " + answer.current());
  }

  @Override
  public Outcome<T> requestExpired(ClaimAnswer.RequestExpired answer) {
    throw unexpected("RequestExpired after it had been sent again");
  }

  private static StoreCorrupt unexpected(String what) {
    return new StoreCorrupt("answer: was " + what);
  }
}
