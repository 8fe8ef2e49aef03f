// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers that stores keep and scripts know: records outlive the version that wrote them. */
class CodesTest {

  @Test
  void theNumbersNeverChange() {
    assertThat(codes(State.values(), State::code))
        .isEqualTo(
            Map.of("ISSUED", 1, "PROCESSING", 2, "SUCCEEDED", 3, "FAILED", 4, "RELEASED", 5));
    assertThat(codes(StartMark.values(), StartMark::code))
        .isEqualTo(Map.of("NOT_RECORDED", 0, "NOT_STARTED", 1, "STARTED", 2, "IN_TRANSACTION", 3));
    assertThat(codes(OnLeaseExpired.values(), OnLeaseExpired::code))
        .isEqualTo(Map.of("RERUN", 0, "HOLD", 1, "PROBE", 2));
    assertThat(codes(OnFailed.values(), OnFailed::code)).isEqualTo(Map.of("RERUN", 0, "REPORT", 1));
  }

  @ParameterizedTest
  @EnumSource
  void aStateIsReadFromItsNumber(State state) {
    assertThat(State.of(state.code())).isEqualTo(state);
  }

  @ParameterizedTest
  @EnumSource
  void aStartMarkIsReadFromItsNumber(StartMark mark) {
    assertThat(StartMark.of(mark.code())).isEqualTo(mark);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 6})
  void anotherNumberIsNoState(int code) {
    assertThatExceptionOfType(StoreCorrupt.class)
        .isThrownBy(() -> State.of(code))
        .withMessage("state: was " + code + ", must be 1 to 5");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void anotherNumberIsNoStartMark(int code) {
    assertThatExceptionOfType(StoreCorrupt.class)
        .isThrownBy(() -> StartMark.of(code))
        .withMessage("start mark: was " + code + ", must be 0 to 3");
  }

  private static <E extends Enum<E>> Map<String, Integer> codes(E[] values, ToIntFunction<E> code) {
    Map<String, Integer> codes = new LinkedHashMap<>();
    Arrays.stream(values).forEach(value -> codes.put(value.name(), code.applyAsInt(value)));
    return codes;
  }
}
