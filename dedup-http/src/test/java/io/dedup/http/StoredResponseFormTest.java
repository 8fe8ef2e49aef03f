// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoredResponseFormTest {

  private static final StoredResponseForm FORM = StoredResponseForm.INSTANCE;

  private static StoredResponse response(StoredResponse.Kind kind) {
    return new StoredResponse(
        kind,
        201,
        "grün",
        List.of(new StoredResponse.Field("Link", "<a>"), new StoredResponse.Field("Link", "<b>")),
        new byte[] {0, 1, (byte) 0xff});
  }

  private static void assertSame(StoredResponse actual, StoredResponse expected) {
    assertThat(actual.kind()).isEqualTo(expected.kind());
    assertThat(actual.status()).isEqualTo(expected.status());
    assertThat(actual.message()).isEqualTo(expected.message());
    assertThat(actual.headers()).isEqualTo(expected.headers());
    assertThat(actual.body()).isEqualTo(expected.body());
  }

  @ParameterizedTest
  @EnumSource
  void what_is_written_is_read(StoredResponse.Kind kind) {
    assertSame(FORM.decode(FORM.encode(response(kind))), response(kind));
  }

  @Test
  void nothing_stays_nothing_and_no_message_stays_none() {
    StoredResponse empty =
        new StoredResponse(StoredResponse.Kind.WHOLE, 204, null, List.of(), new byte[0]);

    assertThat(FORM.encode(null)).isNull();
    assertThat(FORM.decode(null)).isNull();
    assertSame(FORM.decode(FORM.encode(empty)), empty);
  }

  /** What was stored by the first version must be readable for as long as keys are kept. */
  @Test
  void the_bytes_of_version_1_are_these() {
    StoredResponse response =
        new StoredResponse(
            StoredResponse.Kind.WHOLE,
            200,
            null,
            List.of(new StoredResponse.Field("ETag", "\"1\"")),
            "hi".getBytes(StandardCharsets.UTF_8));
    String hex =
        "01"
            + "00"
            + "00c8"
            + "ffffffff"
            + "0001"
            + "00000004"
            + "45546167"
            + "00000003"
            + "223122"
            + "6869";

    StoredResult stored = FORM.encode(response);

    assertThat(stored.contentType()).isEqualTo("application/vnd.dedup.http-response");
    assertThat(HexFormat.of().formatHex(stored.bytes())).isEqualTo(hex);
  }

  @Test
  void another_version_another_type_and_a_part_are_refused() {
    byte[] bytes = FORM.encode(response(StoredResponse.Kind.WHOLE)).bytes();
    byte[] newer = bytes.clone();
    newer[0] = 2;

    assertThatThrownBy(() -> read(newer)).hasMessageContaining("was version 2, must be 1");
    assertThatThrownBy(() -> FORM.decode(new StoredResult("text/plain", bytes)))
        .hasMessageContaining("content type: was text/plain");
    int headers = bytes.length - 3;
    for (int length = 0; length < headers; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(part)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static StoredResponse read(byte[] bytes) {
    return FORM.decode(new StoredResult(StoredResponseForm.CONTENT_TYPE, bytes));
  }
}
