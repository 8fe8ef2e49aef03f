// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.Samples.BODY;
import static io.dedup.claim.Samples.HERE;
import static io.dedup.claim.Samples.LEASE;
import static io.dedup.claim.Samples.NOW;
import static io.dedup.claim.Samples.othersClaimed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AnswersTest {

  static Stream<ClaimAnswer> answers() {
    return Stream.of(
        new ClaimAnswer.Acquired(1, 1, false, LEASE),
        new ClaimAnswer.InProgress("other", LEASE, HERE),
        new ClaimAnswer.Completed(null, HERE, 1, NOW, NOW),
        new ClaimAnswer.Failed("no", HERE),
        new ClaimAnswer.InDoubt("other", 1, NOW),
        new ClaimAnswer.Conflict(BODY),
        new ClaimAnswer.NotIssued(),
        new ClaimAnswer.Fenced(Holder.nobody()),
        new ClaimAnswer.RequestExpired());
  }

  @ParameterizedTest
  @MethodSource("answers")
  void eachAnswerToAClaimGoesToItsOwnCase(ClaimAnswer answer) {
    assertThat(answer.<Class<?>>fold(new Told())).isEqualTo(answer.getClass());
  }

  @Test
  void thereIsAnExampleOfEachAnswer() {
    assertThat(answers().map(Object::getClass))
        .containsExactlyInAnyOrder(ClaimAnswer.class.getPermittedSubclasses());
  }

  @Test
  void eachAnswerToASettlementGoesToItsOwnCase() {
    SettleAnswer fenced = new SettleAnswer.Fenced(Holder.nobody());

    assertThat(new SettleAnswer.Applied().<String>fold(a -> "applied", f -> "fenced"))
        .isEqualTo("applied");
    assertThat(fenced.<String>fold(a -> "applied", f -> "fenced")).isEqualTo("fenced");
    assertThatNullPointerException()
        .isThrownBy(() -> new SettleAnswer.Fenced(null))
        .withMessage("current");
  }

  @Test
  void aHolderTellsWhoHasTheKey() {
    ClaimRecord record = othersClaimed(NOW);

    assertThat(Holder.of(record)).isEqualTo(new Holder(State.PROCESSING, record.token(), "other"));
    assertThat(Holder.of(null)).isEqualTo(Holder.nobody()).isEqualTo(new Holder(null, 0, ""));
  }

  @Test
  void anExchangeKeepsItsAnswersWhateverBecomesOfTheLists() {
    List<SettleAnswer> settled = new ArrayList<>(List.of(new SettleAnswer.Applied()));
    List<ClaimAnswer> claimed = new ArrayList<>(List.of(new ClaimAnswer.NotIssued()));
    Exchange exchange = new Exchange(NOW, settled, claimed);

    settled.clear();
    claimed.clear();

    assertThat(exchange.settled()).hasSize(1);
    assertThat(exchange.claimed()).hasSize(1);
  }

  @Test
  void statisticsCountTheLiveApartFromTheExpired() {
    StoreStats stats = new StoreStats(1, 2, 3, 4, 5, 100);

    assertThat(stats.live()).isEqualTo(15);
  }

  private static final class Told implements ClaimAnswer.Cases<Class<?>> {
    @Override
    public Class<?> acquired(ClaimAnswer.Acquired answer) {
      return ClaimAnswer.Acquired.class;
    }

    @Override
    public Class<?> inProgress(ClaimAnswer.InProgress answer) {
      return ClaimAnswer.InProgress.class;
    }

    @Override
    public Class<?> completed(ClaimAnswer.Completed answer) {
      return ClaimAnswer.Completed.class;
    }

    @Override
    public Class<?> failed(ClaimAnswer.Failed answer) {
      return ClaimAnswer.Failed.class;
    }

    @Override
    public Class<?> inDoubt(ClaimAnswer.InDoubt answer) {
      return ClaimAnswer.InDoubt.class;
    }

    @Override
    public Class<?> conflict(ClaimAnswer.Conflict answer) {
      return ClaimAnswer.Conflict.class;
    }

    @Override
    public Class<?> notIssued(ClaimAnswer.NotIssued answer) {
      return ClaimAnswer.NotIssued.class;
    }

    @Override
    public Class<?> fenced(ClaimAnswer.Fenced answer) {
      return ClaimAnswer.Fenced.class;
    }

    @Override
    public Class<?> requestExpired(ClaimAnswer.RequestExpired answer) {
      return ClaimAnswer.RequestExpired.class;
    }
  }
}
