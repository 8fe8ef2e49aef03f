// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every form of a key promises: other keys, other bytes; one scope, one beginning. */
class KeyFormatTest {

  private static final long SEED = 20260301;

  /** Separators, escapes, what escapes look like, NUL, and letters of one, two and four bytes. */
  private static final List<String> ALPHABET =
      List.of("/", "%", "~", "|", "\0", "2", "F", "a", "\u00e9", "\ud83d\ude00");

  static List<KeyFormat> formats() {
    return List.of(
        KeyFormat.digest(),
        KeyFormat.hmac("0123456789abcdef".getBytes(UTF_8)),
        KeyFormat.readable());
  }

  @ParameterizedTest
  @MethodSource("formats")
  void noTwoShortKeysHaveTheSameForm(KeyFormat format) {
    List<String> texts = texts();
    Map<String, IdempotencyKey> forms = new HashMap<>();
    for (String scope : texts) {
      for (String id : texts) {
        assertIsNew(format, IdempotencyKey.of(scope, id), forms);
      }
    }
    assertThat(forms).hasSize(texts.size() * texts.size());
  }

  @ParameterizedTest
  @MethodSource("formats")
  void noTwoLongKeysHaveTheSameFormThoughTheyDifferInOneCharacterOnly(KeyFormat format) {
    Random random = new Random(SEED);
    Map<String, IdempotencyKey> forms = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      String scope = text(random, lengthNearALimit(random));
      String id = text(random, lengthNearALimit(random));
      for (IdempotencyKey key : neighbours(scope, id, random)) {
        assertIsNew(format, key, forms);
      }
    }
    assertThat(forms).hasSizeGreaterThan(8_000);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void theBeginningDependsOnTheScopeAlone(KeyFormat format) {
    Random random = new Random(SEED);
    for (int i = 0; i < 2_000; i++) {
      String scope = text(random, lengthNearALimit(random));
      byte[] prefix = format.scopePrefix(scope);
      byte[] form = format.encode(IdempotencyKey.of(scope, text(random, lengthNearALimit(random))));

      assertThat(form).startsWith(prefix).hasSizeGreaterThan(prefix.length);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aMegabyteFits(KeyFormat format) {
    String megabyte = "k".repeat(1 << 20);

    byte[] one = format.encode(IdempotencyKey.of("orders", megabyte));

    assertThat(one).hasSizeBetween(1, KeyFormat.MAX_BYTES);
    assertThat(format.encode(IdempotencyKey.of("orders", megabyte + "k"))).isNotEqualTo(one);
    assertThat(format.encode(IdempotencyKey.of(megabyte, "orders")))
        .startsWith(format.scopePrefix(megabyte))
        .hasSizeBetween(1, KeyFormat.MAX_BYTES);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void theSameKeyHasTheSameFormInEveryThread(KeyFormat format) {
    IdempotencyKey key = IdempotencyKey.of("orders", "17");
    byte[] form = format.encode(key);

    boolean same =
        java.util.stream.IntStream.range(0, 10_000)
            .parallel()
            .allMatch(i -> Arrays.equals(form, format.encode(key)));

    assertThat(same).isTrue();
  }

  private static void assertIsNew(
      KeyFormat format, IdempotencyKey key, Map<String, IdempotencyKey> forms) {
    byte[] form = format.encode(key);
    assertThat(form.length).isBetween(1, KeyFormat.MAX_BYTES);
    IdempotencyKey before = forms.put(HexFormat.of().formatHex(form), key);
    assertThat(before == null || before.equals(key))
        .as("form shared by %s and %s", before, key)
        .isTrue();
  }

  /** All texts of one and two letters. */
  private static List<String> texts() {
    List<String> texts = new ArrayList<>(ALPHABET);
    for (String first : ALPHABET) {
      for (String second : ALPHABET) {
        texts.add(first + second);
      }
    }
    return texts;
  }

  /** The key, and those that differ by a letter, an escape, or the place of the separator. */
  private static List<IdempotencyKey> neighbours(String scope, String id, Random random) {
    int cut = id.offsetByCodePoints(0, 1);
    int place = random.nextInt(id.length());
    List<IdempotencyKey> keys = new ArrayList<>();
    keys.add(IdempotencyKey.of(scope, id));
    keys.add(IdempotencyKey.of(scope, id + "/"));
    keys.add(IdempotencyKey.of(scope + "/", id));
    keys.add(IdempotencyKey.of(scope, id.replace("/", "%2F") + "~"));
    if (cut < id.length()) {
      keys.add(IdempotencyKey.of(scope + id.substring(0, cut), id.substring(cut)));
    }
    if (!Character.isSurrogate(id.charAt(place))) {
      keys.add(IdempotencyKey.of(scope, id.substring(0, place) + 'X' + id.substring(place + 1)));
    }
    return keys;
  }

  private static int lengthNearALimit(Random random) {
    int[] limits = {1, 64, 128, 190, 255, 256, 447, 512, 1024};
    return Math.max(1, limits[random.nextInt(limits.length)] - 2 + random.nextInt(5));
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(random.nextInt(8) == 0 ? ALPHABET.get(random.nextInt(ALPHABET.size())) : "k");
    }
    return text.toString();
  }
}
