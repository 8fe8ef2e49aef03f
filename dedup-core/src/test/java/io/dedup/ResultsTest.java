// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an effect answered, kept for its duplicates. */
class ResultsTest {

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aDuplicateGetsTheTextThatTheFirstRunAnswered() {
    execute("Zürich ≠ Zurich 🦆", ResultCodec.text());

    assertThat(execute("other", ResultCodec.text()).orElseThrow()).isEqualTo("Zürich ≠ Zurich 🦆");
    assertThat(world.stored().result().contentType()).isEqualTo("text/plain;charset=utf-8");
  }

  @Test
  void aDuplicateGetsTheBytesThatTheFirstRunAnswered() {
    execute(new byte[] {0, -1, 7}, ResultCodec.bytes());

    assertThat(execute(new byte[0], ResultCodec.bytes()).orElseThrow()).containsExactly(0, -1, 7);
  }

  @Test
  void anEmptyAnswerIsKeptAndNotTakenForNone() {
    execute("", ResultCodec.text());

    assertThat(world.stored().result())
        .isEqualTo(new StoredResult("text/plain;charset=utf-8", new byte[0]));
    assertThat(execute("other", ResultCodec.text()).orElseThrow()).isEmpty();
  }

  @Test
  void noAnswerIsNothingToKeep() {
    execute(null, ResultCodec.text());

    assertThat(world.stored().result()).isNull();
    assertThat(execute("other", ResultCodec.text()).orElseThrow()).isNull();
  }

  /**
   * A codec can tell an answer that is null from one that was not kept, where its users need that.
   */
  @Test
  void aCodecMayKeepThatTheAnswerWasNull() {
    ResultCodec<String> codec = optionalText();
    execute(null, codec);
    assertThat(execute("other", codec).orElseThrow()).isEqualTo("(null)");
  }

  @Test
  void withoutACodecNothingIsKept() {
    execute("receipt", ResultCodec.none());

    assertThat(world.stored().result()).isNull();
    assertThat(execute("other", ResultCodec.none()).orElseThrow()).isNull();
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
  void anAnswerThatCannotBeKeptDoesNotUndoWhatIsDone(Class<? extends Throwable> kind) {
    Outcome<String> outcome = execute("receipt", refusing(kind));

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt", world.stored().token()));
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(world.stored().result()).isNull();
    assertThat(execute("other", ResultCodec.text())).isInstanceOf(Outcome.Duplicate.class);
  }

  /** To answer null would be a lie, and to run again a second effect. */
  @Test
  void aResultThatCannotBeReadIsTroubleAndNothingRuns() {
    execute("receipt", ResultCodec.text());
    Runs runs = Runs.answering("other");

    assertThatThrownBy(
            () ->
                dedup.execute(World.delivery(), runs, LostWorkersTest.unreadable(), dedup.policy()))
        .isInstanceOf(StoreCorrupt.class)
        .hasMessageContaining("7 bytes")
        .hasMessageNotContaining("receipt")
        .hasCauseInstanceOf(IllegalArgumentException.class);

    assertThat(runs.count()).isZero();
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  /** What another codec kept, a reference to a large result above all, is not this one's answer. */
  @Test
  void aCodecReadsNothingThatAnotherWrote() {
    StoredResult reference =
        new StoredResult("application/vnd.dedup.result-reference", new byte[] {'7'});

    assertThatThrownBy(() -> ResultCodec.text().decode(reference))
        .hasMessageContaining("must be text/plain");
    assertThatThrownBy(() -> ResultCodec.bytes().decode(reference))
        .hasMessageContaining("must be application/octet-stream");
  }

  private <T> Outcome<T> execute(T answer, ResultCodec<T> codec) {
    return dedup.execute(World.delivery(), context -> answer, codec, dedup.policy());
  }

  private static ResultCodec<String> refusing(Class<? extends Throwable> kind) {
    return new ResultCodec<>() {
      @Override
      public StoredResult encode(String value) {
        if (kind == StackOverflowError.class) {
          throw new StackOverflowError("a graph with a cycle");
        }
        throw new IllegalStateException("not serializable");
      }

      @Override
      public String decode(StoredResult stored) {
        return null;
      }
    };
  }

  private static ResultCodec<String> optionalText() {
    return new ResultCodec<>() {
      @Override
      public StoredResult encode(String value) {
        byte[] bytes = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
        return new StoredResult(value == null ? "null" : "text", bytes);
      }

      @Override
      public String decode(StoredResult stored) {
        if (stored == null) {
          return "(not kept)";
        }
        return stored.contentType().equals("null")
            ? "(null)"
            : new String(stored.bytes(), StandardCharsets.UTF_8);
      }
    };
  }
}
