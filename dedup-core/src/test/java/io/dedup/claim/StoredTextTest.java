// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredTextTest {

  private static final String SMILE = "\ud83d\ude00";

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "short, short",
    "12345678, 12345678",
    "123456789, 12345678",
    "a\0b, a?b",
    "a\ud83db, a?b",
    "\ude00, ?"
  })
  void textIsCutAndWhatStoresRefuseIsReplaced(String text, String fit) {
    assertThat(StoredText.fit(text, 8)).isEqualTo(fit);
  }

  @Test
  void aCharacterOfTwoHalvesIsNeverCutInTwo() {
    assertThat(StoredText.fit("1234567" + SMILE, 8)).isEqualTo("1234567");
    assertThat(StoredText.fit("123456" + SMILE, 8)).isEqualTo("123456" + SMILE);
    assertThat(StoredText.fit(SMILE.repeat(10), 8)).isEqualTo(SMILE.repeat(4));
  }

  @Test
  void whateverComesInWhatGoesOutHasBytesAndFits() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(20);
      for (int c = 0; c < length; c++) {
        text.append(
            (char) (random.nextBoolean() ? random.nextInt(3) : 0xd7fe + random.nextInt(0x804)));
      }
      String fit = StoredText.fit(text.toString(), 8);

      byte[] bytes = fit.getBytes(StandardCharsets.UTF_8);
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(fit);
      assertThat(fit.length()).isLessThanOrEqualTo(8);
      assertThat(fit).doesNotContain("\0");
    }
  }
}
