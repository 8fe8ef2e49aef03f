// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryLinesTest {

  private static final String GOOD =
      "{\"delivery\":\"%s\",\"event\":\"push\",\"payload\":{\"title\":\"%s\"}}\n";

  @TempDir Path directory;

  @Test
  void aLineThatIsNoDeliveryIsCountedAndStopsNothing() throws Exception {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    lines.write(GOOD.formatted("a", "Grüße €").getBytes(UTF_8));
    lines.write("not json\n\n{\"delivery\":7,\"event\":\"push\",\"payload\":1}\n".getBytes(UTF_8));
    lines.write("{\"delivery\":\"b\",\"event\":\"push\",\"payload\":\"".getBytes(UTF_8));
    lines.write(0xC3); // The beginning of a character, and no end.
    lines.write("\"}\n".getBytes(UTF_8));
    lines.write(GOOD.formatted("c", "plain").getBytes(UTF_8));
    Path file = Files.write(directory.resolve("lines.jsonl"), lines.toByteArray());
    List<WebhookDelivery> read = new ArrayList<>();

    long rejected =
        new DeliveryLines(() -> Files.newBufferedReader(file, DeliveryLines.BYTES))
            .forEach(read::add);

    assertThat(rejected).isEqualTo(3);
    assertThat(read).extracting(WebhookDelivery::id).containsExactly("a", "c");
    assertThat(new String(read.get(0).payload(), UTF_8)).isEqualTo("{\"title\":\"Grüße €\"}");
  }
}
