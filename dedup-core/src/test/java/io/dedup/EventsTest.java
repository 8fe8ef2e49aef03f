// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.State;
import io.dedup.claim.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventsTest {

  private final World world = new World();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aRunIsToldInOrderAndEachEventOnce() {
    Outcome<String> outcome =
        world
            .dedup()
            .execute(
                KEY,
                context -> {
                  world.clock.advance(Duration.ofSeconds(2));
                  return "receipt";
                });

    long token = world.stored().token();
    assertThat(world.events.all())
        .containsExactly(
            new DedupEvent.Claimed(KEY, token, 1, false),
            new DedupEvent.HandlerEnded(KEY, Duration.ofSeconds(2), null),
            decided(outcome, "", Duration.ZERO));
  }

  @Test
  void aFailureIsToldWithWhatWasThrown() {
    Outcome<String> outcome = world.dedup().execute(KEY, Runs.failing());

    Throwable thrown = ((Outcome.Failed<String>) outcome).cause();
    assertThat(world.events.names()).containsExactly("Claimed", "HandlerEnded", "Decided");
    assertThat(world.events.of(DedupEvent.HandlerEnded.class).get(0).failure()).isSameAs(thrown);
  }

  @Test
  void aDuplicateIsDecidedAndNothingElse() {
    world.rivalCompletes(world.rivalStarts(KEY));

    Outcome<String> outcome = world.dedup().execute(KEY, Runs.answering("receipt"));

    assertThat(world.events.all()).containsExactly(decided(outcome, "", Duration.ZERO));
  }

  @Test
  void aRunIsToldUnderTheLabelOfItsDelivery() {
    Outcome<String> outcome =
        world.dedup().execute(World.delivery().withLabel("orders"), Runs.answering("receipt"));

    assertThat(world.events.of(DedupEvent.HandlerEnded.class))
        .extracting(DedupEvent.HandlerEnded::label)
        .containsExactly("orders");
    assertThat(world.events.of(DedupEvent.Decided.class))
        .containsExactly(decided(outcome, "orders", Duration.ZERO));
  }

  @Test
  void howLongADeliveryWaitedForAnotherIsTold() {
    world.rivalStarts(KEY);

    Outcome<String> outcome =
        World.execute(
            world.dedup(), p -> p.inProgressWait(Duration.ofSeconds(5)), Runs.answering("x"));

    assertThat(world.events.of(DedupEvent.Decided.class))
        .containsExactly(decided(outcome, "", Duration.ofSeconds(5)));
  }

  @Test
  void aDeliveryThatWaitedIsDecidedOnce() {
    world.rivalStarts(KEY);

    World.execute(
        world.dedup(), p -> p.inProgressWait(Duration.ofSeconds(5)), Runs.answering("receipt"));

    assertThat(world.events.names()).containsExactly("Decided");
  }

  @Test
  void troubleWithTheStoreIsToldForEachTryAndDecidesNothing() {
    world.store.failAlways(FaultyStore.Sent::asksForKeys, FaultyStore.unreachable());
    Deduplicator dedup = world.dedup();

    assertThatThrownBy(() -> dedup.execute(KEY, Runs.answering("receipt")))
        .isInstanceOf(StoreUnavailable.class);

    assertThat(world.events.names()).containsExactly("StoreFailed", "StoreFailed");
    assertThat(world.events.of(DedupEvent.StoreFailed.class))
        .extracting(DedupEvent.StoreFailed::verb)
        .containsOnly("claim");
  }

  @Test
  void theEndOfAHandlerIsToldBeforeItsOutcomeIsStoredAndTheDecisionAfter() {
    List<String> states = new ArrayList<>();
    Deduplicator dedup =
        world.opened(
            world
                .builder()
                .listener(e -> states.add(e.getClass().getSimpleName() + " " + world.state()))
                .build());

    dedup.execute(KEY, Runs.answering("receipt"));

    assertThat(states)
        .containsExactly(
            "Claimed " + State.PROCESSING,
            "HandlerEnded " + State.PROCESSING,
            "Decided " + State.SUCCEEDED);
  }

  /** A checked exception as well: other languages throw them where Java would not. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class, Exception.class})
  void aListenerThatThrowsChangesNothing(Class<? extends Throwable> kind) {
    ToldEvents after = new ToldEvents();
    Deduplicator dedup =
        world.opened(
            world
                .builder()
                .listener(event -> EventsTest.<RuntimeException>sneak(made(kind)))
                .listener(after)
                .build());
    Runs runs = Runs.answering("receipt");

    Outcome<String> outcome = dedup.execute(KEY, runs);

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(runs.count()).isEqualTo(1);
    assertThat(after.names()).containsExactly("Claimed", "HandlerEnded", "Decided");
  }

  private static DedupEvent.Decided decided(Outcome<?> outcome, String label, Duration waited) {
    return new DedupEvent.Decided(KEY, outcome, label, waited, World.TTL);
  }

  private static Throwable made(Class<? extends Throwable> kind) {
    try {
      return kind.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable e) throws T {
    throw (T) e;
  }
}
