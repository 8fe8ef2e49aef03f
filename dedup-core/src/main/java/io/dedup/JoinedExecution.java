// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import java.util.List;

/**
 * Claim, handler and completion as part of the caller's transaction: all of it is stored when that
 * commits, or nothing. Thread-safe.
 *
 * <p>Whoever began the transaction tries again after a conflict: here it can only be rolled back.
 * For the same reason nothing is told to the front, and no failure is remembered, before it has
 * ended.
 */
final class JoinedExecution implements Execution {

  private final Transactions transactions;
  private final Front front;
  private final StoreCalls calls;
  private final InboxSteps steps;
  private final String owner;

  JoinedExecution(
      Transactions transactions, Front front, StoreCalls calls, InboxSteps steps, String owner) {
    this.transactions = transactions;
    this.front = front;
    this.calls = calls;
    this.steps = steps;
    this.owner = owner;
  }

  @Override
  public <T> Outcome<T> execute(Call<T> call) {
    TransactionalExecution.check(call.policy());
    ClaimRequest request = call.ask().claimInTransaction(calls, owner);
    Front.View view = front.look(List.of(request));
    ClaimAnswer known = view.answers().get(request.key());
    return known == null
        ? within(call, request, view)
        : known.fold(new Answers<>(call, acquired -> within(call, request, view)));
  }

  private <T> Outcome<T> within(Call<T> call, ClaimRequest request, Front.View view) {
    try {
      return transactions.joined(
          () ->
              steps.claim(
                  call,
                  request,
                  acquired -> steps.run(call, request, acquired, done -> afterCommit(view, done))));
    } catch (InboxSteps.HandlerThrew e) {
      Throwable failure = e.ownFailure();
      if (InboxSteps.isAskedFor(call.policy(), failure)) {
        afterRollback(call, request, failure);
      }
      return InboxSteps.HandlerThrew.outcome(failure);
    } catch (InboxSteps.CompletionFenced e) {
      return new Outcome.Fenced<>(null, e.current());
    } catch (StoreException | TransactionConflict e) {
      throw e;
    } catch (Exception e) {
      throw new StoreUnavailable("the transaction of the caller broke", e);
    }
  }

  private void afterCommit(Front.View view, Front.Done done) {
    transactions.afterCompletion(
        completion -> {
          if (completion == Transactions.Completion.COMMITTED) {
            view.remember(List.of(done));
          }
        });
  }

  /** As long as the transaction lasts its claim is in the way of any other. */
  private void afterRollback(Call<?> call, ClaimRequest request, Throwable failure) {
    transactions.afterCompletion(
        completion -> {
          if (completion == Transactions.Completion.ROLLED_BACK) {
            steps.remember(request, call.policy().settlementOf(failure));
          }
        });
  }
}
