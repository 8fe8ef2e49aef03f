// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.redis.RedisClaimStore;
import io.dedup.testkit.ManualTime;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A process that is killed between claim and completion. */
class KilledProcessTest {

  private static final String KEY = "0123456789abcdef-0123";
  private static final int KILLED_BY_SIGKILL = 128 + 9;

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();

  @TempDir private Path directory;

  /** The process that dies: it says its port, and that its handler has begun. */
  static final class Victim {
    private Victim() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
      Handlers handlers = new Handlers();
      handlers.script =
          (request, response, context) -> {
            System.out.println("begun");
            Thread.sleep(Duration.ofMinutes(5).toMillis());
            return null;
          };
      App app = app(args[0], Integer.parseInt(args[1]), ManualTime.atBeginning(), handlers);
      System.out.println(app.port());
    }
  }

  private static App app(String host, int port, ManualTime time, Handlers handlers)
      throws Exception {
    LettuceConnectionFactory factory = new LettuceConnectionFactory(host, port);
    factory.start();
    return App.on(RedisClaimStore.builder(factory).prefix("killed-" + KEY).time(time).build())
        .bean(handlers)
        .requests(r -> r.onReplay("orders", done -> null))
        .start();
  }

  @Test
  void blocks_its_key_for_the_lease_and_not_for_the_retention() throws Exception {
    dies("/optional");
    ManualTime time = ManualTime.atBeginning();
    Handlers handlers = new Handlers();
    try (App app = app(REDIS.get().host(), REDIS.get().port(), time, handlers)) {
      assertThat(app.post("/optional", "{}", App.KEY, KEY).statusCode()).isEqualTo(409);
      time.advance(Duration.ofSeconds(29));
      assertThat(app.post("/optional", "{}", App.KEY, KEY).statusCode()).isEqualTo(409);
      time.advance(Duration.ofSeconds(1));

      HttpResponse<String> response = app.post("/optional", "{}", App.KEY, KEY);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(handlers.runs).hasValue(1);
    }
  }

  @Test
  void leaves_its_key_in_doubt_under_hold() throws Exception {
    dies("/hold");
    ManualTime time = ManualTime.atBeginning();
    Handlers handlers = new Handlers();
    try (App app = app(REDIS.get().host(), REDIS.get().port(), time, handlers)) {
      time.advance(Duration.ofSeconds(30));

      HttpResponse<String> response = app.post("/hold", "{}", App.KEY, KEY);
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.body()).contains("outcome-unknown");
      assertThat(handlers.runs).hasValue(0);
    }
  }

  private void dies(String path) throws Exception {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Who is killed cleans nothing up.
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Victim.class.getName(),
                REDIS.get().host(),
                Integer.toString(REDIS.get().port()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
      String port = said.readLine();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .headers("Content-Type", "application/json", App.KEY, KEY)
              .POST(HttpRequest.BodyPublishers.ofString("{}"))
              .build();
      CompletableFuture<HttpResponse<String>> answer =
          HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString());
      assertThat(said.readLine()).isEqualTo("begun");
      victim.destroyForcibly();
      assertThat(victim.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(victim.exitValue()).isEqualTo(KILLED_BY_SIGKILL);
      assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IOException.class);
    } finally {
      victim.destroyForcibly();
    }
  }
}
