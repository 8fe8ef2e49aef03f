// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.InMemoryClaimStore;
import java.io.File;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An application without the libraries that are optional. */
class WithoutOptionalJarsTest {

  private static final Pattern OPTIONAL =
      Pattern.compile("spring-security|spring-webflux|reactor-core|reactive-streams|kafka-clients");

  /** Sends a request twice, and says how each was treated. */
  static final class Bare {
    private Bare() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
      for (String name :
          new String[] {
            "org.springframework.security.core.Authentication",
            "org.springframework.web.reactive.function.client.WebClient",
            "org.apache.kafka.clients.producer.ProducerRecord"
          }) {
        try {
          Class.forName(name);
          throw new IllegalStateException(name + " is there");
        } catch (ClassNotFoundException e) {
          // As it should be.
        }
      }
      try (App app =
          App.on(InMemoryClaimStore.create())
              .bean(new Handlers())
              .requests(r -> r.onReplay("orders", done -> null))
              .start()) {
        for (int i = 0; i < 2; i++) {
          HttpResponse<String> response =
              app.post("/optional", "{}", App.KEY, "0123456789abcdef-0123");
          System.out.println(
              response.headers().firstValue("Idempotency-Status").orElse("none")
                  + " "
                  + response.body());
        }
      }
      System.exit(0);
    }
  }

  @Test
  void guards_its_requests_all_the_same() throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String bare =
        Arrays.stream(classPath.split(Pattern.quote(File.pathSeparator)))
            .filter(jar -> !OPTIONAL.matcher(jar).find())
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                bare,
                Bare.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(said.lines()).containsExactly("executed run 1", "replayed run 1");
    } finally {
      process.destroyForcibly();
    }
  }
}
