// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that are too large for the record of their key. */
class LargeResultsTest {

  private static final String SMALL = "a receipt.";
  private static final String LARGE = "a long receipt ".repeat(20);
  private static final String HUGE = "a book of receipts ".repeat(100);

  private final World world = new World();
  private final MemoryResults results = new MemoryResults(world);
  private Deduplicator dedup = world.dedup();
  private ResultCodec<String> codec = stored(dedup.policy());

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aSmallAnswerStaysInTheRecord() {
    execute(SMALL);

    assertThat(world.stored().result().bytes()).hasSize(SMALL.length());
    assertThat(results.size()).isZero();
    assertThat(execute("other").orElseThrow()).isEqualTo(SMALL);
  }

  @Test
  void ofALargeAnswerTheRecordHasAReferenceAndADuplicateGetsAll() {
    execute(LARGE);

    assertThat(world.stored().result().contentType())
        .isEqualTo("application/vnd.dedup.result-reference");
    assertThat(world.stored().result().bytes()).hasSizeLessThan(10);
    assertThat(execute("other").orElseThrow()).isEqualTo(LARGE);
  }

  /** Else a completion could refer to what a crash kept from being written. */
  @Test
  void aLargeAnswerIsWrittenBeforeItsKeyIsCompleted() {
    execute(LARGE);

    assertThat(results.doneWhenPut).containsExactly(false);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void withoutAStoreADuplicateIsRefusedAndNothingRunsAgain() {
    codec = settings().build().around(ResultCodec.text());
    assertThat(execute(LARGE).orElseThrow()).isEqualTo(LARGE);

    assertRefused("result: was 300 bytes, too large to be kept");
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void withoutAStoreADuplicateMayGetNothing() {
    codec = settings().otherwise(OnLargeResult.KEEP_NOTHING).build().around(ResultCodec.text());
    execute(LARGE);

    assertThat(world.stored().result()).isNull();
    assertThat(execute("other")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(execute("other").orElseThrow()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTooLargeForTheStoreFollowsThePolicy(OnLargeResult otherwise) {
    codec =
        settings()
            .store(results, dedup.policy())
            .otherwise(otherwise)
            .build()
            .around(ResultCodec.text());
    execute(HUGE);

    assertThat(results.size()).isZero();
    if (otherwise == OnLargeResult.REFUSE) {
      assertRefused("result: was 1900 bytes, too large to be kept");
    } else {
      assertThat(execute("other").orElseThrow()).isNull();
    }
  }

  /** To answer null would be a lie. */
  @Test
  void anAnswerThatIsGoneIsRefused() {
    execute(LARGE);
    results.loseAll();

    assertRefused("result: was kept elsewhere, and is gone");
  }

  @Test
  void anAnswerThatIsKeptInAStoreWeDoNotHaveIsRefused() {
    execute(LARGE);
    codec = settings().build().around(ResultCodec.text());

    assertRefused("result: is kept elsewhere, and no store of results is set");
  }

  @Test
  void aStoreInTroubleIsTroubleAndLaterTells() {
    execute(LARGE);
    results.down = true;
    assertThatThrownBy(() -> execute("other")).isInstanceOf(StoreUnavailable.class);

    results.down = false;
    assertThat(execute("other").orElseThrow()).isEqualTo(LARGE);
  }

  @Test
  void whatIsDoneStaysDoneThoughItsAnswerCannotBeWritten() {
    results.down = true;

    assertThat(execute(LARGE).orElseThrow()).isEqualTo(LARGE);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(world.stored().result()).isNull();
  }

  @Test
  void inATransactionAnAnswerThatCannotBeWrittenUndoesTheEffect() {
    MemoryTransactions transactions = new MemoryTransactions(world);
    Deduplicator transactional =
        world.opened(world.builder().transactional(transactions.inbox(), transactions).build());
    Handler<String> handler =
        context -> {
          transactions.write("charge");
          return LARGE;
        };
    results.down = true;
    assertThatThrownBy(
            () -> transactional.execute(World.delivery(), handler, codec, transactional.policy()))
        .isInstanceOf(StoreUnavailable.class);
    assertThat(transactions.effects()).isEmpty();

    results.down = false;
    transactional.execute(World.delivery(), handler, codec, transactional.policy());
    assertThat(transactions.effects()).containsExactly("charge");
  }

  /** However late the completion came from which the key's own time is counted. */
  @Test
  void anAnswerIsKeptAsLongAsItsKeyIsKnown() {
    dedup.execute(
        World.delivery(),
        context -> {
          world.clock.advance(Duration.ofSeconds(20));
          return LARGE;
        },
        codec,
        dedup.policy());
    world.clock.advance(dedup.policy().ttl().minusSeconds(1));

    assertThat(execute("other").orElseThrow()).isEqualTo(LARGE);
  }

  @Test
  void anAnswerThatIsAskedForIsKeptAsLongAsAKeyThatSlides() {
    dedup = world.dedup(p -> p.slide(true));
    codec = stored(dedup.policy());
    execute(LARGE);
    for (int i = 0; i < 4; i++) {
      world.clock.advance(dedup.policy().ttl().minusSeconds(1));
      assertThat(execute("other").orElseThrow()).isEqualTo(LARGE);
    }
  }

  @Test
  void recordsFromBeforeAreRead() {
    dedup.execute(World.delivery(), context -> LARGE, ResultCodec.text(), dedup.policy());

    assertThat(execute("other").orElseThrow()).isEqualTo(LARGE);
  }

  @Test
  void noAnswerIsNothingToKeep() {
    execute(null);

    assertThat(world.stored().result()).isNull();
    assertThat(execute("other").orElseThrow()).isNull();
  }

  /** Its answer would be read as a reference of ours. */
  @Test
  void aCodecThatUsesOurContentTypesIsRefused() {
    ResultCodec<String> twice = settings().limitBytes(0).build().around(notes());
    assertThatThrownBy(() -> twice.encode("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "contentType: was application/vnd.dedup.result-x,"
                + " must not begin with application/vnd.dedup.result-");
    assertThatThrownBy(() -> twice.decode(notes().encode("x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLimitBelowZeroIsRefused() {
    assertThatThrownBy(() -> LargeResults.builder().limitBytes(-1))
        .hasMessage("limit-bytes: was -1, must not be negative");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> execute("other"))
        .isInstanceOf(StoreCorrupt.class)
        .cause()
        .isInstanceOf(ResultUnavailable.class)
        .hasMessage(why);
  }

  private Outcome<String> execute(String answer) {
    return dedup.execute(World.delivery(), context -> answer, codec, dedup.policy());
  }

  private ResultCodec<String> stored(Policy policy) {
    return settings().store(results, policy).build().around(ResultCodec.text());
  }

  private static LargeResults.Builder settings() {
    return LargeResults.builder().limitBytes(SMALL.length());
  }

  private static ResultCodec<String> notes() {
    return new ResultCodec<>() {
      @Override
      public StoredResult encode(String value) {
        return new StoredResult(LargeResultCodec.OURS + value, new byte[1]);
      }

      @Override
      public String decode(StoredResult stored) {
        return stored.contentType();
      }
    };
  }
}
