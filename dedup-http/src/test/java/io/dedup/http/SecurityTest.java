// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.DedupContext;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.DelegatingFilterProxy;

/** Requests behind Spring Security: who may not do it sees no stored answer. */
class SecurityTest {

  private static final String KEY = "0123456789abcdef-0123";

  private App app;

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private static App.Builder builder() {
    return App.on(InMemoryClaimStore.create(ManualTime.atBeginning(), 10_000))
        .bean(Secure.class)
        .bean(Accounts.class)
        .bean(new Handlers())
        .requests(r -> r.behindSecurity().onReplay("orders", done -> null));
  }

  private void start() throws Exception {
    app =
        builder()
            .filterBefore(c -> new DelegatingFilterProxy("springSecurityFilterChain", c))
            .start();
  }

  /** Users with roles, of which some are checked by method. */
  @Configuration
  @EnableWebSecurity
  @EnableMethodSecurity(securedEnabled = true)
  static class Secure {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(
              requests ->
                  requests
                      .requestMatchers("/by-url")
                      .hasRole("TELLER")
                      .requestMatchers("/optional", "/no-anonymous", "/error")
                      .permitAll()
                      .anyRequest()
                      .authenticated())
          .securityContext(c -> c.securityContextRepository(new NullSecurityContextRepository()))
          .httpBasic(basic -> {})
          .build();
    }

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(teller("alice"), teller("bob"));
    }

    static UserDetails teller(String name) {
      return user(name, "TELLER");
    }

    static UserDetails user(String name, String role) {
      return User.withUsername(name).password("{noop}pw").roles(role).build();
    }
  }

  /** Handlers that method security checks. */
  @RestController
  static class Accounts {
    final AtomicInteger runs = new AtomicInteger();

    @PostMapping("/by-url")
    @IdempotentRequest
    public String byUrl() {
      return "run " + runs.incrementAndGet();
    }

    @PostMapping("/by-method")
    @IdempotentRequest(required = true)
    @PreAuthorize("hasRole('TELLER')")
    public String byMethod(@RequestBody String body, DedupContext context) {
      context.pointOfNoReturn();
      return "run " + runs.incrementAndGet() + " " + body;
    }

    @PostMapping("/secured")
    @IdempotentRequest
    @Secured("ROLE_TELLER")
    public String secured() {
      return "run " + runs.incrementAndGet();
    }

    @PostMapping("/before-security")
    @IdempotentRequest(claimPoint = ClaimPoint.PRE_HANDLE)
    @PreAuthorize("hasRole('TELLER')")
    public String beforeSecurity() {
      return "run " + runs.incrementAndGet();
    }
  }

  private HttpResponse<String> post(String path, String user) throws Exception {
    return app.post(path, "{}", App.KEY, KEY, "Authorization", basic(user));
  }

  private static String basic(String user) {
    byte[] text = (user + ":pw").getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(text);
  }

  private void revoke(String user) {
    app.bean(InMemoryUserDetailsManager.class).updateUser(Secure.user(user, "GUEST"));
  }

  private static String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  private void assertRevokedGets403(String path) throws Exception {
    HttpResponse<String> first = post(path, "alice");
    HttpResponse<String> second = post(path, "alice");
    assertThat(status(first)).isEqualTo("executed");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(status(second)).isEqualTo("replayed");

    revoke("alice");
    HttpResponse<String> third = post(path, "alice");

    assertThat(third.statusCode()).isEqualTo(403);
    assertThat(third.body()).doesNotContain("run 1");
    assertThat(status(third)).isNotEqualTo("replayed");
  }

  @Test
  void who_lost_a_role_that_the_url_needs_gets_403_and_not_the_stored_200() throws Exception {
    start();

    assertRevokedGets403("/by-url");
  }

  @Test
  void who_lost_a_role_that_the_method_needs_gets_403_and_not_the_stored_200() throws Exception {
    start();

    assertRevokedGets403("/by-method");
  }

  @Test
  void who_lost_a_role_that_secured_names_gets_403_and_not_the_stored_200() throws Exception {
    start();

    assertRevokedGets403("/secured");
  }

  @Test
  void behind_method_security_refusals_and_repetitions_are_as_elsewhere() throws Exception {
    start();
    post("/by-method", "alice");

    HttpResponse<String> other =
        app.post("/by-method", "{\"a\":1}", App.KEY, KEY, "Authorization", basic("alice"));
    HttpResponse<String> missing = app.post("/by-method", "{}", "Authorization", basic("alice"));

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body()).contains("key-missing");
    assertThat(status(post("/by-method", "bob"))).isEqualTo("executed");
  }

  @Test
  void who_is_refused_by_the_method_leaves_no_key_behind() throws Exception {
    start();
    revoke("bob");
    assertThat(post("/by-method", "bob").statusCode()).isEqualTo(403);
    app.bean(InMemoryUserDetailsManager.class).updateUser(Secure.teller("bob"));

    assertThat(status(post("/by-method", "bob"))).isEqualTo("executed");
  }

  @Test
  void an_anonymous_caller_who_is_rejected_is_asked_to_authenticate() throws Exception {
    start();

    HttpResponse<String> response = app.post("/no-anonymous", "{}", App.KEY, KEY);

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate").orElseThrow()).startsWith("Basic");
  }

  @Test
  void a_filter_before_springs_serves_no_request_with_a_key() throws Exception {
    app = builder().start();

    HttpResponse<String> response = app.post("/optional", "{}", App.KEY, KEY);

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(app.told.all()).isEmpty();
  }
}
