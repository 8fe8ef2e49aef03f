// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.InMemoryClaimStore;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The manual says what happens. */
class ManualTest {

  private static final Path MANUAL = Path.of("..", "docs", "http.md");
  private static final Pattern SESSION = Pattern.compile("```console\\n(.*?)```", Pattern.DOTALL);

  /** The controller of the manual, word by word. */
  @RestController
  static class Payments {

    record Payment(int id, int amount) {}

    record Order(int amount) {}

    private final AtomicInteger ids = new AtomicInteger();

    @PostMapping("/payments")
    @IdempotentRequest(operation = "pay", required = true)
    ResponseEntity<?> pay(@RequestBody Order order) {
      if (order.amount() > 1000) {
        return ResponseEntity.unprocessableContent().body(Map.of("reason", "too much"));
      }
      Payment payment = new Payment(ids.incrementAndGet(), order.amount());
      return ResponseEntity.created(URI.create("/payments/" + payment.id())).body(payment);
    }
  }

  @Test
  void its_sessions_run_as_it_says() throws Exception {
    List<String> lines = new ArrayList<>();
    Matcher sessions = SESSION.matcher(Files.readString(MANUAL));
    while (sessions.find()) {
      lines.addAll(sessions.group(1).lines().toList());
    }
    assertThat(lines).hasSizeGreaterThan(20);
    try (App app =
        App.on(InMemoryClaimStore.create())
            .bean(new Payments())
            .options(
                o ->
                    o.scope(KeyScope.GLOBAL)
                        .answers(a -> a.withProblemBaseUri("https://docs.example.com/idempotency")))
            .start()) {
      List<String> answer = List.of();
      for (String line : lines) {
        if (line.startsWith("$ ")) {
          answer = answer(app, line.substring(2));
        } else {
          assertThat(answer).contains(line);
        }
      }
    }
  }

  /** Returns the lines that {@code curl -i} shows. */
  private static List<String> answer(App app, String command) throws Exception {
    HttpResponse<String> response =
        app.send(CurlCommand.parse(command, "http://127.0.0.1:" + app.port()));
    List<String> lines = new ArrayList<>();
    lines.add("HTTP/1.1 " + response.statusCode());
    response
        .headers()
        .map()
        .forEach((name, values) -> values.forEach(v -> lines.add(capital(name) + ": " + v)));
    lines.addAll(response.body().lines().toList());
    return lines;
  }

  private static String capital(String name) {
    return Arrays.stream(name.split("-"))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining("-"));
  }

  @Test
  void its_controller_is_the_one_of_this_test() throws Exception {
    String code =
        Files.readString(Path.of("src", "test", "java", "io", "dedup", "http", "ManualTest.java"));
    int begin = code.indexOf("  record Payment(");
    String body = code.substring(begin, code.indexOf("\n  }\n", begin));

    assertThat(Files.readString(MANUAL).replaceAll("\\s+", " "))
        .contains(body.strip().replaceAll("\\s+", " "));
  }
}
