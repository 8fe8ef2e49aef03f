// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MainJobTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();
  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> postgres = Servers.postgres();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "lease-redis, plain",
    "lease-jdbc, plain",
    "transactional, plain",
    "tiered, plain",
    "lease-redis, spring-record",
    "lease-jdbc, spring-record",
    "transactional, spring-record",
    "tiered, spring-record",
    "lease-redis, spring-batch",
    "lease-jdbc, spring-batch",
    "transactional, spring-batch",
    "tiered, spring-batch",
  })
  void theSampleIsActedUponOnceInEachModeByEachListener(String mode, String listener)
      throws Exception {
    Path file = folder.resolve("report.json");
    assertThat(run("--mode", mode, "--listener", listener, "--report", file.toString())).isZero();
    JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(report.propertyNames())
        .containsExactly(
            "delivered",
            "distinct",
            "executed",
            "suppressed",
            "conflicts",
            "rejected",
            "lost",
            "doubled",
            "seconds",
            "recordsPerSecond",
            "mode");
    assertThat(report.get("delivered").intValue()).isEqualTo(60);
    assertThat(report.get("distinct").intValue()).isEqualTo(40);
    assertThat(report.get("executed").intValue()).isEqualTo(40);
    assertThat(report.get("suppressed").intValue()).isEqualTo(18);
    assertThat(report.get("conflicts").intValue()).isEqualTo(2);
    assertThat(report.get("lost").intValue()).isZero();
    assertThat(report.get("doubled").intValue()).isZero();
    assertThat(report.get("mode").stringValue()).isEqualTo(mode);
  }

  @ParameterizedTest
  @CsvSource({"transactional, plain", "tiered, spring-record", "tiered, spring-batch"})
  void membersThatAreKilledNeitherLoseNorDoubleInATransaction(String mode, String listener)
      throws Exception {
    Path file = folder.resolve("report.json");
    int status =
        run(
            "--mode",
            mode,
            "--listener",
            listener,
            "--generate",
            "300",
            "--kill-every",
            "100",
            "--consumers",
            "2",
            "--report",
            file.toString());
    JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(report.get("delivered").intValue()).isEqualTo(300);
    assertThat(report.get("lost").intValue()).isZero();
    assertThat(report.get("doubled").intValue()).isZero();
    assertThat(status).isZero();
  }

  @Test
  void aLineThatIsNoDeliveryIsCountedAndStopsNothing() throws Exception {
    Path input = folder.resolve("input.jsonl");
    Files.writeString(
        input,
        """
        {"delivery":"1","event":"push","payload":{}}
        {"delivery":"2","event":"push"
        {"event":"push","payload":{}}
        {"delivery":3,"event":"push","payload":{}}
        {"delivery":"4","event":"push"}

        {"delivery":"1","event":"push","payload":{}}
        """);
    Path file = folder.resolve("report.json");
    assertThat(run("--input", input.toString(), "--report", file.toString())).isZero();
    JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(report.get("delivered").intValue()).isEqualTo(2);
    assertThat(report.get("executed").intValue()).isEqualTo(1);
    assertThat(report.get("rejected").intValue()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mode nonsense",
        "--listener nonsense",
        "--duplicates 0.5",
        "--generate 0",
        "--generate 10 --duplicates 1",
        "--consumers 0",
        "--kill-every -1",
        "--input no-such-file",
        "--input pom.xml --generate 5",
        "--unknown"
      })
  void badOptionsAreRefused(String options) {
    assertThat(Main.run(options.split(" "))).isEqualTo(2);
  }

  private static int run(String... options) {
    Database database = postgres.get().createDatabase();
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(
        List.of(
            "--kafka", kafka.get().bootstrapServers(),
            "--redis", redis.get().redisUri(),
            "--jdbc", Stage.url(database.jdbcUrl(), database.username(), database.password())));
    return Main.run(all.toArray(String[]::new));
  }
}
