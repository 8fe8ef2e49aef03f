// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.ManualTime;
import io.dedup.time.ProcessClock;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Keys that the application hands out. */
class TokensTest {

  private static final byte[] OLD =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NEW =
      "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.UTF_8);

  private final ManualTime time = ManualTime.atBeginning();
  private final InMemoryClaimStore store = InMemoryClaimStore.create(time, 10_000);
  private final Charges charges = new Charges();
  private App app;

  /** The process's wall clock is the store's. */
  private final ProcessClock clock =
      new ProcessClock() {
        @Override
        public Instant now() {
          return time.now();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void sleep(Duration duration) {
          throw new IllegalStateException("nobody waits here");
        }
      };

  private void start(TokenOptions options) throws Exception {
    app = App.on(store).bean(charges).tokens(options).requests(r -> r.clock(clock)).start();
  }

  @AfterEach
  void stop() throws Exception {
    if (app != null) {
      app.close();
    }
  }

  /** Operations that take tokens. */
  @RestController
  static class Charges {
    final AtomicInteger runs = new AtomicInteger();
    volatile boolean broken;

    @PostMapping("/charge")
    @IdempotentRequest(operation = "charge", issuedToken = true)
    String charge() {
      if (broken) {
        throw new IllegalStateException("broken");
      }
      return "run " + runs.incrementAndGet();
    }

    @RequestMapping("/error")
    ResponseEntity<String> error(HttpServletRequest request) {
      Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
      return ResponseEntity.status((Integer) status).body("error");
    }

    @PostMapping("/refund")
    @IdempotentRequest(operation = "refund", issuedToken = true)
    String refund() {
      return "run " + runs.incrementAndGet();
    }
  }

  private HttpResponse<String> ask(String operation, String user) throws Exception {
    return app.post(TokenOptions.DEFAULT_PATH + "?operation=" + operation, "", "X-User", user);
  }

  private String token(String operation, String user) throws Exception {
    HttpResponse<String> response = ask(operation, user);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
    Matcher token = Pattern.compile("\"token\":\"([^\"]+)\"").matcher(response.body());
    assertThat(token.find()).isTrue();
    assertThat(response.body()).contains("\"expiresAt\":\"");
    return token.group(1);
  }

  private HttpResponse<String> use(String path, String token, String user) throws Exception {
    return app.post(path, "{}", App.KEY, token, "X-User", user);
  }

  private static void assertRefused(HttpResponse<String> response, String code) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains("\"code\":\"" + code + "\"").contains("USE_NEW_KEY");
  }

  private void assertUsableOnce() throws Exception {
    String token = token("charge", "alice");

    assertThat(use("/charge", token, "alice").body()).isEqualTo("run 1");
    HttpResponse<String> second = use("/charge", token, "alice");
    assertThat(second.body()).isEqualTo("run 1");
    assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    assertThat(token("charge", "alice")).isNotEqualTo(token);
  }

  private void assertBound() throws Exception {
    String token = token("charge", "alice");

    HttpResponse<String> operation = use("/refund", token, "alice");
    HttpResponse<String> caller = use("/charge", token, "bob");
    HttpResponse<String> invented = use("/charge", "0123456789abcdef0123", "alice");
    HttpResponse<String> nothing = app.post("/charge", "{}", "X-User", "alice");

    assertRefused(operation, "token-invalid");
    assertRefused(caller, "token-invalid");
    assertRefused(invented, "token-invalid");
    assertThat(caller.body()).isEqualTo(operation.body()).isEqualTo(invented.body());
    assertThat(nothing.body()).contains("key-missing");
    assertThat(charges.runs).hasValue(0);
  }

  private void assertSurvivesFailure() throws Exception {
    String token = token("charge", "alice");
    charges.broken = true;
    assertThat(use("/charge", token, "alice").statusCode()).isEqualTo(500);
    charges.broken = false;

    assertThat(use("/charge", token, "alice").body()).isEqualTo("run 1");
  }

  @Test
  void a_stored_token_is_used_once_and_replayed_after_that() throws Exception {
    start(TokenOptions.stored());

    assertUsableOnce();
  }

  @Test
  void a_stored_token_is_one_callers_for_one_operation() throws Exception {
    start(TokenOptions.stored());

    assertBound();
  }

  @Test
  void a_stored_token_is_not_burnt_by_a_failure() throws Exception {
    start(TokenOptions.stored());

    assertSurvivesFailure();
  }

  @Test
  void a_stored_token_that_was_not_used_in_time_is_refused() throws Exception {
    start(TokenOptions.stored());
    String token = token("charge", "alice");
    time.advance(Duration.ofMinutes(15));

    assertRefused(use("/charge", token, "alice"), "token-invalid");
    assertThat(charges.runs).hasValue(0);
  }

  @Test
  void a_signed_token_is_used_once_and_replayed_after_that() throws Exception {
    start(TokenOptions.signed("k1", Map.of("k1", OLD)));

    assertUsableOnce();
  }

  @Test
  void a_signed_token_is_one_callers_for_one_operation() throws Exception {
    start(TokenOptions.signed("k1", Map.of("k1", OLD)));

    assertBound();
  }

  @Test
  void a_signed_token_is_not_burnt_by_a_failure() throws Exception {
    start(TokenOptions.signed("k1", Map.of("k1", OLD)));

    assertSurvivesFailure();
  }

  @Test
  void a_signed_token_begins_nothing_once_expired_and_answers_for_what_it_began() throws Exception {
    start(TokenOptions.signed("k1", Map.of("k1", OLD)));
    String used = token("charge", "alice");
    String unused = token("charge", "alice");
    use("/charge", used, "alice");
    time.advance(Duration.ofMinutes(15));

    assertRefused(use("/charge", unused, "alice"), "token-expired");
    assertThat(use("/charge", used, "alice").body()).isEqualTo("run 1");
    assertThat(charges.runs).hasValue(1);
  }

  @Test
  void a_signed_token_that_was_changed_anywhere_is_refused() throws Exception {
    start(TokenOptions.signed("k1", Map.of("k1", OLD)));
    String token = token("charge", "alice");

    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      assertRefused(use("/charge", changed, "alice"), "token-invalid");
    }
    assertThat(charges.runs).hasValue(0);
  }

  @Test
  void a_token_signed_with_the_last_secret_is_good_while_that_is_believed() throws Exception {
    start(TokenOptions.signed("k1", Map.of("k1", OLD)));
    String token = token("charge", "alice");
    app.close();
    start(TokenOptions.signed("k2", Map.of("k1", OLD, "k2", NEW)));
    assertThat(use("/charge", token, "alice").body()).isEqualTo("run 1");
    assertThat(token("charge", "alice")).startsWith("v1.k2.");
    app.close();
    start(TokenOptions.signed("k2", Map.of("k2", NEW)));

    assertRefused(use("/charge", token, "alice"), "token-invalid");
  }

  @Test
  void no_token_is_issued_for_an_unknown_operation_or_by_get() throws Exception {
    start(TokenOptions.stored());

    assertThat(ask("steal", "alice").statusCode()).isEqualTo(400);
    HttpRequest get =
        HttpRequest.newBuilder(
                app.request("POST", TokenOptions.DEFAULT_PATH + "?operation=charge", "").uri())
            .GET()
            .build();
    assertThat(app.send(get).statusCode()).isGreaterThanOrEqualTo(400).isLessThan(500);
  }

  @Test
  void wrong_settings_are_refused_and_secrets_are_not_shown() {
    assertThatThrownBy(() -> start(TokenOptions.signed("k1", Map.of("k1", new byte[31]))))
        .rootCause()
        .hasMessage("token.secret: was 31 bytes, must be at least 32");
    assertThatThrownBy(() -> start(TokenOptions.signed("k2", Map.of("k1", OLD))))
        .rootCause()
        .hasMessage("token.active-kid: was 'k2', must be one of [k1]");
    assertThatThrownBy(() -> TokenOptions.stored().withTtl(Duration.ZERO))
        .hasMessage("token.ttl: was PT0S, must be at least PT1S");
    assertThat(TokenOptions.signed("k1", Map.of("k1", OLD)).toString())
        .doesNotContain(new String(OLD, StandardCharsets.US_ASCII));
  }
}
