// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.headers;
import static io.dedup.kafka.key.Sample.idOf;
import static io.dedup.kafka.key.Sample.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompoundKeyTest {

  private static final List<KeyExtractor<ConsumerRecord<?, ?>>> HEADERS =
      List.of(KeyExtractors.header("a"), KeyExtractors.header("b"));

  private static final List<KeyExtractor<ConsumerRecord<?, ?>>> MEMBERS =
      List.of(KeyExtractors.json("/user/uid"), KeyExtractors.json("/order_id"));

  @Nested
  class Joined {

    private final KeyExtractor<ConsumerRecord<?, ?>> joined = KeyExtractors.joined(HEADERS);

    @Test
    void bothPartsMakeAStableId() {
      assertThat(idOf(joined, headers("a", "x", "b", "y"))).isEqualTo("x|y");
      assertThat(
              idOf(
                  KeyExtractors.joined(MEMBERS),
                  value("{\"user\":{\"uid\":\"x\"},\"order_id\":7}")))
          .isEqualTo("x|number:7");
    }

    @Test
    void differentListsAreNeverTheSameId() {
      assertThat(
              List.of(
                  idOf(joined, headers("a", "x", "b", "y|z")),
                  idOf(joined, headers("a", "x|y", "b", "z")),
                  idOf(joined, headers("a", "x\\", "b", "y|z")),
                  idOf(joined, headers("a", "x\\|y", "b", "z")),
                  idOf(joined, headers("a", "xy", "b", "z"))))
          .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(MissingPart.class)
    void allPartsMissingIsMissing(MissingPart policy) {
      assertMissing(KeyExtractors.joined(HEADERS, policy), headers());
      assertMissing(
          KeyExtractors.joined(MEMBERS, policy),
          value("{\"user\":{\"uid\":null},\"order_id\":null}"));
    }

    @Test
    void onePartMissingIsUnreadableByDefault() {
      assertUnreadable(joined, headers("a", "x"), "has no value for header:b");
      assertUnreadable(
          KeyExtractors.joined(MEMBERS),
          value("{\"order_id\":1}"),
          "has no value for json:/user/uid");
    }

    @Test
    void onePartMissingIsMissingIfAskedFor() {
      assertMissing(KeyExtractors.joined(HEADERS, MissingPart.MISSING), headers("b", "y"));
    }

    @Test
    void anAbsentPartDiffersFromEveryTextIfAskedFor() {
      KeyExtractor<ConsumerRecord<?, ?>> lenient =
          KeyExtractors.joined(HEADERS, MissingPart.ABSENT);
      assertThat(
              List.of(
                  idOf(lenient, headers("a", "x")),
                  idOf(lenient, headers("b", "x")),
                  idOf(lenient, headers("a", "x", "b", "null")),
                  idOf(lenient, headers("a", "x", "b", " ")),
                  idOf(lenient, headers("a", "x", "b", "|"))))
          .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(MissingPart.class)
    void anUnreadablePartMakesTheWholeUnreadable(MissingPart policy) {
      assertUnreadable(
          KeyExtractors.joined(MEMBERS, policy),
          value("{\"user\":{\"uid\":{}},\"order_id\":1}"),
          "is an object");
    }

    @Test
    void fewerThanTwoPartsAreRefused() {
      assertThatThrownBy(() -> KeyExtractors.joined(List.of(KeyExtractors.header("a"))))
          .hasMessage("joined: was given 1 extractors, must be given at least 2");
    }
  }

  @Nested
  class FirstOf {

    private final KeyExtractor<ConsumerRecord<?, ?>> firstOf = KeyExtractors.firstOf(HEADERS);

    @Test
    void theFirstThatIsPresentCounts() {
      assertThat(idOf(firstOf, headers("a", "x", "b", "y"))).isEqualTo("x");
      assertThat(idOf(firstOf, headers("b", "y"))).isEqualTo("y");
      assertThat(idOf(firstOf, headers("a", "", "b", "y"))).isEqualTo("y");
      assertMissing(firstOf, headers());
    }

    @Test
    void anUnreadableOneEndsTheSearch() {
      assertUnreadable(
          KeyExtractors.firstOf(
              List.of(KeyExtractors.header("n", HeaderType.LONG), KeyExtractors.header("b"))),
          headers("n", "abc", "b", "y"),
          "must have 8");
    }

    @Test
    void aUsersOwnExtractorMayBeOneOfThem() {
      KeyExtractor<ConsumerRecord<?, ?>> own = r -> new ExtractedId.Found("own:" + r.topic());
      assertThat(idOf(KeyExtractors.firstOf(List.of(KeyExtractors.header("a"), own)), headers()))
          .isEqualTo("own:orders");
    }
  }
}
