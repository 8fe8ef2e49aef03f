// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TtlTest {

  @ParameterizedTest
  @CsvSource({
    "7d, P7D",
    "12h, PT12H",
    "10m, PT10M",
    "30s, PT30S",
    "500ms, PT0.5S",
    "PT10M, PT10M",
    "P36500D, P36500D"
  })
  void durationsAreReadAsPeopleWriteThem(String text, Duration duration) {
    assertThat(Ttl.parse(text)).isEqualTo(Ttl.of(duration));
    assertThat(Ttl.parse("timestamp+" + text)).isEqualTo(Ttl.fromTimestamp(duration));
  }

  @Test
  void whatIsDescribedIsWhatWasRead() {
    for (String text : new String[] {"retention", "PT168H", "timestamp+PT10M"}) {
      assertThat(Ttl.parse(text).describe()).isEqualTo(text);
    }
    assertThat(Ttl.parse("retention")).isEqualTo(Ttl.matchRetention());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "7 d", "7w", "retentoin", "d", "-7d", "P1Y"})
  void otherTextIsRefusedWithWhatIsAllowed(String text) {
    assertThatThrownBy(() -> Ttl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "ttl: was '" + text + "', must be 'retention', a number with a unit");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"PT0S", "-PT1S", "PT0.0005S", "P36500DT0.001S", "0d", "36501d", "999999999999d"})
  void durationsOutOfRangeAreRefused(String text) {
    assertThatThrownBy(() -> Ttl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be PT0.001S to PT876000H");
  }

  @Test
  void settingsOfMatchingAreCheckedByName() {
    MatchRetention match = Ttl.matchRetention();
    assertThat(match.outage()).isEqualTo(Duration.ofDays(1));
    assertThat(match.held()).isEqualTo(Duration.ofDays(1));
    assertThat(match.producerHorizon()).isEqualTo(Duration.ofDays(1));
    assertThat(match.maxFutureTimestamp()).isEqualTo(Duration.ofDays(1));
    Duration negative = Duration.ofMillis(-1);
    assertThatThrownBy(() -> match.outage(negative)).hasMessageContaining("outage: was PT-0.001S");
    assertThatThrownBy(() -> match.held(negative)).hasMessageContaining("held: was");
    assertThatThrownBy(() -> match.producerHorizon(negative))
        .hasMessageContaining("producerHorizon: was");
    assertThatThrownBy(() -> match.maxFutureTimestamp(negative))
        .hasMessageContaining("maxFutureTimestamp: was");
    assertThatThrownBy(() -> match.checkInterval(negative))
        .hasMessageContaining("checkInterval: was");
    assertThatThrownBy(() -> match.copies("a b")).hasMessageContaining("copies: was 'a b'");
  }
}
