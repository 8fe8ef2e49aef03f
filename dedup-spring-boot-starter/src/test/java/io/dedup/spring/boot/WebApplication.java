// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.DedupContext;
import io.dedup.http.IdempotentRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A whole application behind Spring Security, served by Tomcat. */
final class WebApplication implements AutoCloseable {

  static final String KEY = "Idempotency-Key";

  private final HttpClient client = HttpClient.newHttpClient();
  private final ServletWebServerApplicationContext context;

  private WebApplication(ServletWebServerApplicationContext context) {
    this.context = context;
  }

  static WebApplication start(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("server.address=127.0.0.1");
    all.add("server.port=0");
    // Else each start leaves a directory of its own behind.
    all.add("server.tomcat.basedir=target/tomcat");
    all.add("spring.flyway.enabled=false");
    all.add("spring.main.banner-mode=off");
    return new WebApplication(
        (ServletWebServerApplicationContext)
            new SpringApplicationBuilder(Payments.class)
                .properties(all.toArray(String[]::new))
                .run());
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableMethodSecurity
  @Import({Handlers.class, Work.class})
  static class Payments {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
          .httpBasic(basic -> {})
          .build();
    }

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(
          user("ann", "TELLER"), user("bob", "TELLER"), user("cid", "TELLER"));
    }
  }

  static UserDetails user(String name, String role) {
    return User.withUsername(name).password("{noop}pw").roles(role).build();
  }

  /** What was done. */
  static final class Work {
    final AtomicInteger payments = new AtomicInteger();
    final AtomicInteger notes = new AtomicInteger();
    final Semaphore entered = new Semaphore(0);
    volatile CountDownLatch mayEnd = new CountDownLatch(0);
  }

  /** What the application does. */
  @RestController
  static class Handlers {
    private final Work work;

    Handlers(Work work) {
      this.work = work;
    }

    @PostMapping("/payments")
    @IdempotentRequest(operation = "pay", required = true)
    public ResponseEntity<String> pay(@RequestBody String order, HttpServletResponse response)
        throws InterruptedException {
      work.entered.release();
      work.mayEnd.await(20, TimeUnit.SECONDS);
      response.addHeader("Set-Cookie", "mine=1");
      return ResponseEntity.created(URI.create("/payments/" + work.payments.incrementAndGet()))
          .body("paid " + order);
    }

    @PostMapping("/refunds")
    @IdempotentRequest
    @PreAuthorize("hasRole('TELLER')")
    public String refund(@RequestBody String order, DedupContext context) {
      return "refunded " + order + " " + context.childId("refund");
    }

    @PostMapping("/orders")
    @IdempotentRequest(operation = "order", issuedToken = true)
    public String order() {
      return "ordered";
    }

    @PostMapping("/notes")
    public String note() {
      return "note " + work.notes.incrementAndGet();
    }
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  HttpResponse<String> post(String user, String path, String body, String... headers) {
    return answer(request(user, path, body, headers));
  }

  HttpRequest request(String user, String path, String body, String... headers) {
    byte[] login = (user + ":pw").getBytes(StandardCharsets.UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + context.getWebServer().getPort() + path))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login))
            .header("Content-Type", "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }

  HttpClient client() {
    return client;
  }

  private HttpResponse<String> answer(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
