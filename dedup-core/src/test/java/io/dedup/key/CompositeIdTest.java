// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CompositeIdTest {

  private static final List<String> LETTERS = List.of("a", "|", "\\");

  @Test
  void noTwoListsHaveTheSameId() {
    List<String> parts = parts();
    Map<String, List<String>> ids = new HashMap<>();
    for (List<String> list : lists(parts)) {
      List<String> before = ids.put(CompositeId.join(list), list);
      assertThat(before).as("has the id of %s", list).isNull();
    }
    // Each part alone, with another, and with two others; and four parts of at most a letter.
    int n = parts.size();
    assertThat(ids).hasSize(n + n * n + n * n * n + 4 * 4 * 4 * 4);
  }

  static Stream<Arguments> examples() {
    return Stream.of(
        Arguments.of(List.of("17"), "17"),
        Arguments.of(List.of("order", "17"), "order|17"),
        Arguments.of(List.of("", ""), "|"),
        Arguments.of(List.of("a|b", "c"), "a\\|b|c"),
        Arguments.of(List.of("a\\", "b"), "a\\\\|b"),
        Arguments.of(List.of("null", "\0"), "null|\0"));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void partsAreJoinedByABar(List<String> parts, String id) {
    assertThat(CompositeId.join(parts)).isEqualTo(id);
  }

  @Test
  void noPartIsNoId() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompositeId.join(List.of()))
        .withMessage("parts: was empty, must have at least one");
  }

  /** All texts of up to two letters. */
  private static List<String> parts() {
    List<String> parts = new ArrayList<>(List.of(""));
    for (String first : LETTERS) {
      parts.add(first);
      for (String second : LETTERS) {
        parts.add(first + second);
      }
    }
    return parts;
  }

  private static List<List<String>> lists(List<String> parts) {
    List<List<String>> lists = new ArrayList<>();
    for (String one : parts) {
      lists.add(List.of(one));
      for (String two : parts) {
        lists.add(List.of(one, two));
        for (String three : parts) {
          lists.add(List.of(one, two, three));
          if (one.length() < 2 && two.length() < 2 && three.length() < 2) {
            parts.stream()
                .filter(four -> four.length() < 2)
                .forEach(four -> lists.add(List.of(one, two, three, four)));
          }
        }
      }
    }
    return lists;
  }
}
