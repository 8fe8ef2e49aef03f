// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.OnFailed;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several deliveries in one transaction. */
class TransactionalBatchTest {

  private final World world = new World();
  private final MemoryTransactions transactions = new MemoryTransactions(world);
  private final FaultyStore inbox = new FaultyStore(transactions.inbox());
  private final Deduplicator dedup =
      world.opened(
          world
              .builder()
              .policy(p -> p.onFailed(OnFailed.REPORT))
              .transactional(inbox, transactions)
              .build());

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void effectsAndCompletionsOfABatchAreStoredTogetherInTwoExchanges() throws Exception {
    assertThat(run(ask(1), ask(2), ask(3))).allMatch(Outcome.Executed.class::isInstance);

    assertThat(transactions.effects()).containsExactly("0", "1", "2");
    assertThat(world.stored(key(2)).state()).isEqualTo(State.SUCCEEDED);
    assertThat(inbox.sent().stream().filter(sent -> !sent.asksForTime())).hasSize(2);
  }

  @Test
  void whatWasDoneBeforeAndWhatComesTwiceAreDuplicates() throws Exception {
    run(ask(1));

    List<Outcome<StoredResult>> outcomes = run(ask(1), ask(2), ask(2));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(transactions.effects()).containsExactly("0", "1");
  }

  @Test
  void aKeyThatARivalHasIsBusyAndCostsItsNeighboursNothing() throws Exception {
    world.rivalStarts(key(1));

    List<Outcome<StoredResult>> outcomes = run(ask(1), ask(2));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.InProgress.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void whatTheHandlerDoesNotNameIsGivenBack() throws Exception {
    List<Outcome<StoredResult>> outcomes =
        dedup.executeTogether(List.of(ask(1), ask(2)), entries -> List.of(0));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.InProgress.class);
    assertThat(run(ask(2)).get(0)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aFailureUndoesAllAndIsHeldAgainstNobody() throws Exception {
    Ask suspect = new Ask(ask(1).delivery().asSuspect(), dedup.policy());

    assertThatThrownBy(
            () ->
                dedup.executeTogether(
                    List.of(suspect, ask(2)),
                    entries -> {
                      transactions.write("undone");
                      throw new IllegalStateException("the second one");
                    }))
        .hasMessage("the second one");

    assertThat(transactions.effects()).isEmpty();
    assertThat(run(suspect, ask(2))).allMatch(Outcome.Executed.class::isInstance);
  }

  private List<Outcome<StoredResult>> run(Ask... asks) throws Exception {
    return dedup.executeTogether(
        List.of(asks),
        entries -> {
          List<Integer> done = new ArrayList<>();
          for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i) instanceof BatchEntry.Acquired) {
              transactions.write(String.valueOf(i));
              done.add(i);
            }
          }
          return done;
        });
  }

  private Ask ask(int id) {
    return new Ask(Delivery.of(key(id)), dedup.policy());
  }

  private static IdempotencyKey key(int id) {
    return IdempotencyKey.of("payments", String.valueOf(id));
  }
}
