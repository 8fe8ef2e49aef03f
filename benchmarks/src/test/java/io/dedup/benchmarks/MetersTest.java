// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However the bytes are cut, the same is counted. */
class MetersTest {

  private static final String SET = "*3\r\n$3\r\nSET\r\n$2\r\n\r\n\r\n$-1\r\n";
  private static final String NESTED = "*2\r\n*2\r\n:1\r\n+OK\r\n%1\r\n$1\r\nk\r\n*0\r\n";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000})
  void commandsSentTogetherAreOneRoundTrip(int chunk) {
    RespMeter meter = new RespMeter();

    request(meter, SET + SET, chunk);
    reply(meter, "+OK\r\n" + NESTED, chunk);
    request(meter, SET, chunk);
    reply(meter, "$2\r\n:\n\r\n", chunk);

    assertThat(meter.traffic()).isEqualTo(new Traffic(2, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000})
  void statementsAndAnswersOfPostgresAreCounted(int chunk) throws IOException {
    PostgresMeter meter = new PostgresMeter();

    reply(meter, message('C', "BEGIN") + message('D', "CZCZ") + message('C', "INSERT 0 1"), chunk);
    reply(meter, message('Z', "T") + message('C', "COMMIT") + message('Z', "I"), chunk);

    assertThat(meter.traffic()).isEqualTo(new Traffic(2, 3));
  }

  private static String message(char type, String body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(type);
    out.writeInt(body.length() + Integer.BYTES);
    out.writeBytes(body);
    return bytes.toString(ISO_8859_1);
  }

  private static void request(Meter meter, String text, int chunk) {
    for (int at = 0; at < text.length(); at += chunk) {
      byte[] part = text.substring(at, Math.min(at + chunk, text.length())).getBytes(ISO_8859_1);
      meter.request(part, part.length);
    }
  }

  private static void reply(Meter meter, String text, int chunk) {
    for (int at = 0; at < text.length(); at += chunk) {
      byte[] part = text.substring(at, Math.min(at + chunk, text.length())).getBytes(ISO_8859_1);
      meter.reply(part, part.length);
    }
  }
}
