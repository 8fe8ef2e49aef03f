// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.DedupContext;
import io.dedup.http.IdempotentRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What a WebFlux application with the starter answers, on Netty, whatever its store is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WebFluxContract {

  private final HttpClient client = HttpClient.newHttpClient();
  private final String key = UUID.randomUUID().toString();
  private ConfigurableApplicationContext context;

  abstract String[] store();

  @BeforeAll
  void start() {
    List<String> all = new ArrayList<>(List.of(store()));
    all.add("server.address=127.0.0.1");
    all.add("server.port=0");
    all.add("spring.flyway.enabled=false");
    all.add("spring.main.banner-mode=off");
    all.add("dedup.http.token.enabled=true");
    context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.REACTIVE)
            .properties(all.toArray(String[]::new))
            .run();
  }

  @AfterAll
  void stop() {
    context.close();
  }

  /** Who may what now. */
  static final class Roles {
    final Map<String, String> byName = new ConcurrentHashMap<>();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableReactiveMethodSecurity
  @Import({Handlers.class, Roles.class})
  static class Application {
    @Bean
    NettyReactiveWebServerFactory netty() {
      return new NettyReactiveWebServerFactory();
    }

    @Bean
    SecurityWebFilterChain chain(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(requests -> requests.anyExchange().authenticated())
          .httpBasic(basic -> {})
          .build();
    }

    @Bean
    ReactiveUserDetailsService users(Roles roles) {
      return name ->
          Mono.just(
              User.withUsername(name)
                  .password("{noop}pw")
                  .roles(roles.byName.getOrDefault(name, "TELLER"))
                  .build());
    }
  }

  @RestController
  static class Handlers {
    private final AtomicInteger runs = new AtomicInteger();

    @PostMapping("/payments")
    @IdempotentRequest(operation = "pay", required = true)
    Mono<ResponseEntity<String>> pay(@RequestBody String order) {
      return Mono.fromSupplier(
          () ->
              ResponseEntity.created(URI.create("/payments/" + runs.incrementAndGet()))
                  .header("Set-Cookie", "mine=1")
                  .body("paid " + order));
    }

    @PostMapping("/refunds")
    @IdempotentRequest
    @PreAuthorize("hasRole('TELLER')")
    public Mono<String> refund(@RequestBody String order, DedupContext context) {
      return Mono.fromSupplier(() -> "refunded " + order + " " + context.childId("refund"));
    }

    @PostMapping("/orders")
    @IdempotentRequest(operation = "order", issuedToken = true)
    Mono<String> order() {
      return Mono.just("ordered");
    }
  }

  private HttpResponse<String> post(String user, String path, String body, String... headers)
      throws Exception {
    String login =
        Base64.getEncoder().encodeToString((user + ":pw").getBytes(StandardCharsets.UTF_8));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:"
                        + context.getEnvironment().getProperty("local.server.port")
                        + path))
            .header("Authorization", "Basic " + login)
            .header("Content-Type", "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static @Nullable String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  @Test
  void aRequestActsOnceForEachPrincipal() throws Exception {
    HttpResponse<String> first = post("ann", "/payments", "10", WebApplication.KEY, key);
    HttpResponse<String> second = post("ann", "/payments", "10", WebApplication.KEY, key);
    HttpResponse<String> bobs = post("bob", "/payments", "99", WebApplication.KEY, key);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(status(first)).isEqualTo("executed");
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo("paid 10");
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(second.headers().firstValue("Location"))
        .isEqualTo(first.headers().firstValue("Location"));
    assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(bobs.body()).isEqualTo("paid 99");
    assertThat(
            context
                .getBean(MeterRegistry.class)
                .get("dedup.http.requests")
                .tags("operation", "pay", "outcome", "replayed")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void whoseRoleWasRevokedGets403AndNotTheStored200() throws Exception {
    HttpResponse<String> first = post("cid", "/refunds", "10", WebApplication.KEY, key);
    HttpResponse<String> second = post("cid", "/refunds", "10", WebApplication.KEY, key);
    context.getBean(Roles.class).byName.put("cid", "GUEST");
    HttpResponse<String> third = post("cid", "/refunds", "10", WebApplication.KEY, key);
    context.getBean(Roles.class).byName.clear();

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(third.statusCode()).isEqualTo(403);
    assertThat(third.body()).doesNotContain("refunded");
  }

  @Test
  void aTokenOfTheEndpointIsAKey() throws Exception {
    HttpResponse<String> issued = post("ann", "/idempotency/tokens?operation=order", "");
    String token = new JsonMapper().readTree(issued.body()).get("token").asString();

    assertThat(status(post("ann", "/orders", "", WebApplication.KEY, token))).isEqualTo("executed");
    assertThat(status(post("ann", "/orders", "", WebApplication.KEY, token))).isEqualTo("replayed");
    assertThat(post("bob", "/orders", "", WebApplication.KEY, token).body())
        .contains("token-invalid");
  }
}
