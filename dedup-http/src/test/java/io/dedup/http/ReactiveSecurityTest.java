// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.DedupContext;
import io.dedup.claim.InMemoryClaimStore;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests to a WebFlux application behind Spring Security. */
class ReactiveSecurityTest {

  private static final String KEY = "0123456789abcdef-0123";

  private @Nullable ReactiveApp app;

  @AfterEach
  void stop() {
    if (app != null) {
      app.close();
    }
  }

  private static ReactiveApp started(Consumer<ReactiveRequestsBuilder> changes, Class<?>... beans) {
    return new ReactiveApp(InMemoryClaimStore.create(), o -> o, changes, beans);
  }

  private ReactiveApp start() {
    ReactiveApp started = started(r -> r.behindSecurity(), Secure.class, Accounts.class);
    app = started;
    return started;
  }

  @Configuration
  @EnableWebFluxSecurity
  @EnableReactiveMethodSecurity
  static class Secure {
    final Map<String, String> roles = new ConcurrentHashMap<>(Map.of("ann", "TELLER"));

    @Bean
    SecurityWebFilterChain chain(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(
              requests ->
                  requests
                      .pathMatchers("/by-url")
                      .hasRole("TELLER")
                      .pathMatchers("/known")
                      .permitAll()
                      .anyExchange()
                      .authenticated())
          .httpBasic(basic -> {})
          .build();
    }

    @Bean
    ReactiveUserDetailsService users() {
      return name ->
          Mono.just(
              User.withUsername(name)
                  .password("{noop}pw")
                  .roles(roles.getOrDefault(name, "GUEST"))
                  .build());
    }
  }

  @RestController
  static class Accounts {
    private final ReactiveApp.Work work;

    Accounts(ReactiveApp.Work work) {
      this.work = work;
    }

    @PostMapping("/by-url")
    @IdempotentRequest
    public Mono<String> byUrl() {
      return work.run();
    }

    @PostMapping("/by-method")
    @IdempotentRequest(required = true)
    @PreAuthorize("hasRole('TELLER')")
    public Mono<String> byMethod(@RequestBody String body, DedupContext context) {
      return work.run().map(run -> run + " " + body + " " + context.key().scope().isEmpty());
    }

    @PostMapping("/known")
    @IdempotentRequest(anonymous = AnonymousCallers.REJECT)
    public Mono<String> known() {
      return work.run();
    }

    /** Must not be asked about our own signal. */
    @ExceptionHandler(IllegalStateException.class)
    public ResponseEntity<String> any(RuntimeException failure) {
      return ResponseEntity.internalServerError().body("caught " + failure);
    }

    @ExceptionHandler(AnswerSignal.class)
    public ResponseEntity<String> ours(RuntimeException failure) {
      return ResponseEntity.internalServerError().body("caught " + failure);
    }
  }

  @RestController
  static class Blocking {
    @PostMapping("/blocking")
    @IdempotentRequest(claimPoint = ClaimPoint.ADVISOR)
    @PreAuthorize("hasRole('TELLER')")
    public String blocking() {
      return "done";
    }
  }

  @RestController
  static class Streaming {
    @PostMapping("/stream")
    @IdempotentRequest
    Flux<String> stream() {
      return Flux.just("a");
    }
  }

  private static HttpResponse<String> post(ReactiveApp app, String path, String body)
      throws Exception {
    String login = Base64.getEncoder().encodeToString("ann:pw".getBytes(StandardCharsets.UTF_8));
    return app.post(path, body, App.KEY, KEY, "Authorization", "Basic " + login);
  }

  private static @Nullable String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  private void assertRevokedGets403(String path) throws Exception {
    ReactiveApp started = start();
    HttpResponse<String> first = post(started, path, "{}");
    HttpResponse<String> second = post(started, path, "{}");
    assertThat(first.body()).startsWith("run 1");
    assertThat(status(first)).isEqualTo("executed");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(status(second)).isEqualTo("replayed");

    started.bean(Secure.class).roles.put("ann", "GUEST");
    HttpResponse<String> third = post(started, path, "{}");

    assertThat(third.statusCode()).isEqualTo(403);
    assertThat(third.body()).doesNotContain("run 1");
    assertThat(status(third)).isNotEqualTo("replayed");
  }

  @Test
  void who_lost_a_role_that_the_url_needs_gets_403_and_not_the_stored_200() throws Exception {
    assertRevokedGets403("/by-url");
  }

  @Test
  void who_lost_a_role_that_the_method_needs_gets_403_and_not_the_stored_200() throws Exception {
    assertRevokedGets403("/by-method");
  }

  @Test
  void behind_method_security_refusals_are_as_elsewhere() throws Exception {
    ReactiveApp started = start();
    post(started, "/by-method", "{}");

    HttpResponse<String> other = post(started, "/by-method", "{\"a\":1}");

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body()).contains("key-reused");
  }

  @Test
  void an_anonymous_caller_who_is_rejected_is_asked_to_authenticate() throws Exception {
    HttpResponse<String> response = start().post("/known", "{}", App.KEY, KEY);

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate").orElseThrow()).startsWith("Basic");
  }

  @Test
  void a_filter_in_front_of_spring_securitys_stops_the_start() {
    assertThatThrownBy(
            () -> started(r -> r.behindSecurity().filterOrder(-200), Secure.class, Accounts.class))
        .isInstanceOf(FilterMisplaced.class)
        .hasMessage(
            "filter-order: was -200, must be above that of Spring Security's WebFilterChainProxy");
  }

  @Test
  void a_handler_whose_answer_is_no_publisher_cannot_be_claimed_behind_method_security() {
    assertThatThrownBy(
            () -> started(r -> r.behindSecurity(), Secure.class, Accounts.class, Blocking.class))
        .hasMessageContaining("Blocking#blocking")
        .hasMessageContaining("claim-point: was ADVISOR");
  }

  @Test
  void a_response_that_is_streamed_needs_to_say_that_it_is_not_replayed() {
    assertThatThrownBy(() -> started(r -> {}, Streaming.class))
        .isInstanceOf(HandlerRefused.class)
        .hasMessageContaining("replay: was BYTES, must be NONE");
  }
}
