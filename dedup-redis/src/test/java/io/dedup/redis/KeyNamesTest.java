// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.util.JedisClusterCRC16;

class KeyNamesTest {

  private static final int SLOTS = 16_384;

  @Test
  void aNameIsPrefixTagAndForm() {
    KeyName name = new KeyNames("dedup", KeyFormat.digest()).of(IdempotencyKey.of("orders", "1"));

    String head = HexFormat.of().formatHex("dedup:{Ay}:".getBytes(StandardCharsets.US_ASCII));
    assertThat(name.hex()).isEqualTo(head + "1c168adb423658cdf1939d8acaaf88aa");
  }

  @Test
  void aReadableNameCanBeRead() {
    KeyName name =
        new KeyNames("shop:dedup", KeyFormat.readable()).of(IdempotencyKey.of("orders", "17"));

    assertThat(new String(name.bytes(), StandardCharsets.UTF_8))
        .isEqualTo("shop:dedup:{EA}:orders/17");
  }

  @Test
  void tagsAreThoseOfTheStoredFormat() {
    String tags =
        IntStream.range(0, Buckets.COUNT)
            .mapToObj(b -> new String(Buckets.tag(b), StandardCharsets.US_ASCII))
            .collect(Collectors.joining());

    assertThat(tags)
        .isEqualTo(
            "ApAtAxBWAaAeAiAmARAVAZBuACAGAKAOA4A0DDA8EGDYA-DQDnB9B5B1C6C2DwDs"
                + "AqAuAyBVBKAdAhAlASAWBpA_ABAFAJANA5A1DEA9EFDXDTDPDoB8B4B0B-C3DvDr"
                + "ArAvAzBUAcAgAkAoAPATAXBwAAAEAIAMA6A2DFDBD_EADWDSDlDhB7B3C4C0DuC8"
                + "AsAwBPBTAbAfAjAnAQAUAYBvBkADAHALA7A3DGDCEDDZDVDRDmDiB6B2C5C1DtC9");
  }

  @Test
  void eachBucketHasItsOwnShareOfTheSlots() {
    for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
      assertThat(JedisClusterCRC16.getSlot(Buckets.tag(bucket)) / (SLOTS / Buckets.COUNT))
          .isEqualTo(bucket);
    }
  }

  @Test
  void aFoundNameIsInTheBucketOfItsKey() {
    KeyNames names = new KeyNames("dedup", KeyFormat.digest());
    for (IdempotencyKey key : Use.newKeys(1_000)) {
      KeyName name = names.of(key);

      assertThat(names.found(name.bytes()).bucket()).isEqualTo(name.bucket());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a{b}", "a*", "a?", "a[b]", "a\\", "ä", "a\u0000"})
  void aPrefixThatMeansSomethingToRedisIsRefused(String prefix) {
    assertThatThrownBy(() -> new KeyNames(prefix, KeyFormat.digest()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("prefix: was '" + prefix + "', must be ");
  }

  @Test
  void aPrefixThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> new KeyNames("p".repeat(65), KeyFormat.digest()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 64");
  }

  @Test
  void aScopeIsFoundByAPatternOfPlainTextAndThenByteByByte() {
    KeyNames names = new KeyNames("dedup", KeyFormat.readable());
    byte[] name = names.of(IdempotencyKey.of("a*[b]?\\é", "17")).bytes();

    assertThat(names.pattern("a*[b]?\\é")).isEqualTo("dedup:{??}:a??b???" + "???*");
    assertThat(names.isOf("a*[b]?\\é", name)).isTrue();
    assertThat(names.isOf("a*[b]?\\", name)).isFalse();
    assertThat(names.isOf("abcdefghijklmnopqrstuvwxyz", name)).isFalse();
  }
}
