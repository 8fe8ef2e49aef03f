// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import tools.jackson.databind.json.JsonMapper;

/** What an application with the starter answers, whatever its store is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpContract {

  private final String key = UUID.randomUUID().toString();
  private WebApplication app;

  abstract String[] store();

  @BeforeAll
  void start() {
    app =
        WebApplication.start(
            Stream.concat(
                    Stream.of(store()),
                    Stream.of(
                        "dedup.http.include=/notes",
                        "dedup.http.token.enabled=true",
                        "dedup.http.problem-base-uri=https://docs.example.com/idempotency"))
                .toArray(String[]::new));
  }

  @AfterAll
  void stop() {
    app.close();
  }

  private HttpResponse<String> post(String user, String path, String body, String sent) {
    return app.post(user, path, body, WebApplication.KEY, sent);
  }

  private static @Nullable String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  @Test
  void aRequestActsOnceAndIsAnsweredAsItWas() {
    String sent = UUID.randomUUID().toString();

    HttpResponse<String> first = post("ann", "/payments", "10", sent);
    HttpResponse<String> second = post("ann", "/payments", "10", sent);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(status(first)).isEqualTo("executed");
    assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(second.body()).isEqualTo("paid 10");
    assertThat(second.headers().firstValue("Location"))
        .isEqualTo(first.headers().firstValue("Location"));
    assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void twoPrincipalsNeverShareAKeyABodyOrAHeader() {
    HttpResponse<String> anns = post("ann", "/payments", "10", key);
    HttpResponse<String> bobs = post("bob", "/payments", "99", key);

    assertThat(status(anns)).isEqualTo("executed");
    assertThat(status(bobs)).isEqualTo("executed");
    assertThat(bobs.body()).isEqualTo("paid 99");
    assertThat(bobs.headers().firstValue("Location"))
        .isNotEqualTo(anns.headers().firstValue("Location"));
  }

  @Test
  void whoseRoleWasRevokedGets403AndNotTheStored200() {
    HttpResponse<String> first = post("cid", "/refunds", "10", key);
    HttpResponse<String> second = post("cid", "/refunds", "10", key);
    app.bean(InMemoryUserDetailsManager.class).updateUser(WebApplication.user("cid", "GUEST"));
    HttpResponse<String> third = post("cid", "/refunds", "10", key);

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(third.statusCode()).isEqualTo(403);
    assertThat(third.body()).doesNotContain("refunded");
  }

  @Test
  void anotherRequestWithTheKeyIsRefusedAndRunsNothing() {
    String sent = UUID.randomUUID().toString();
    post("ann", "/payments", "10", sent);
    int runs = app.bean(WebApplication.Work.class).payments.get();

    HttpResponse<String> other = post("ann", "/payments", "99", sent);

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(status(other)).isEqualTo("mismatch");
    assertThat(other.headers().firstValue("Link"))
        .hasValue("<https://docs.example.com/idempotency>; rel=\"describedby\"");
    assertThat(app.bean(WebApplication.Work.class).payments).hasValue(runs);
  }

  @Test
  void whileTheFirstRunsTheSecondIsToldToComeAgain() throws Exception {
    String sent = UUID.randomUUID().toString();
    WebApplication.Work work = app.bean(WebApplication.Work.class);
    CountDownLatch mayEnd = new CountDownLatch(1);
    work.mayEnd = mayEnd;
    work.entered.drainPermits();
    CompletableFuture<HttpResponse<String>> first =
        app.client()
            .sendAsync(
                app.request("ann", "/payments", "10", WebApplication.KEY, sent),
                HttpResponse.BodyHandlers.ofString());
    assertThat(work.entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    HttpResponse<String> second = post("ann", "/payments", "10", sent);
    mayEnd.countDown();

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(status(second)).isEqualTo("in-progress");
    assertThat(second.headers().firstValue("Retry-After")).isPresent();
    assertThat(status(first.get())).isEqualTo("executed");
  }

  @Test
  void aHandlerIsGuardedByItsPathAlone() {
    HttpResponse<String> first = post("ann", "/notes", "x", key);

    assertThat(post("ann", "/notes", "x", key).body()).isEqualTo(first.body());
    assertThat(status(app.post("ann", "/notes", "x"))).isNull();
  }

  @Test
  void aMissingKeyIsRefusedWhereOneIsRequired() {
    HttpResponse<String> response = app.post("ann", "/payments", "10");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("\"code\":\"key-missing\"");
  }

  @Test
  void aTokenOfTheEndpointIsAKeyThatItsCallerCanUse() {
    HttpResponse<String> issued = app.post("ann", "/idempotency/tokens?operation=order", "");
    String token = new JsonMapper().readTree(issued.body()).get("token").asString();

    assertThat(issued.statusCode()).isEqualTo(201);
    assertThat(status(post("ann", "/orders", "", token))).isEqualTo("executed");
    assertThat(status(post("ann", "/orders", "", token))).isEqualTo("replayed");
    assertThat(post("bob", "/orders", "", token).body()).contains("token-invalid");
  }

  @Test
  void requestsAreCountedByOperationAndOutcome() {
    String sent = UUID.randomUUID().toString();
    double before = counted();

    post("bob", "/payments", "10", sent);
    post("bob", "/payments", "10", sent);

    assertThat(counted()).isGreaterThan(before);
  }

  private double counted() {
    return app
        .bean(MeterRegistry.class)
        .find("dedup.http.requests")
        .tags("operation", "pay", "outcome", "replayed")
        .counters()
        .stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }
}
