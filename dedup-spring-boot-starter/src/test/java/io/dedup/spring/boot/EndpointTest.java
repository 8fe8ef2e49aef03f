// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole application, asked over HTTP. */
class EndpointTest {

  private static final String READ_ONLY = "management.endpoint.dedup.access=read-only";
  private static final String WRITABLE = "management.endpoint.dedup.access=unrestricted";

  private final IdempotencyKey key = IdempotencyKey.of("payments", UUID.randomUUID().toString());
  private final List<ConfigurableApplicationContext> open = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      exclude = {
        SecurityAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class,
        ServletWebSecurityAutoConfiguration.class,
        ManagementWebSecurityAutoConfiguration.class
      })
  static class Application {

    final List<AuditEvent> audited = new ArrayList<>();

    @Bean
    ManualTime time() {
      return ManualTime.atBeginning();
    }

    @EventListener
    void on(AuditApplicationEvent event) {
      audited.add(event.getAuditEvent());
    }
  }

  private ConfigurableApplicationContext start(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("server.address=127.0.0.1");
    all.add("server.port=0");
    // Else each start leaves a directory of its own behind.
    all.add("server.tomcat.basedir=target/tomcat");
    all.add("management.endpoints.web.exposure.include=dedup,health,metrics");
    all.add("management.endpoint.health.show-details=always");
    all.add("spring.flyway.enabled=false");
    all.add("spring.main.banner-mode=off");
    all.add("dedup.store=memory");
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .properties(all.toArray(String[]::new))
            .run();
    open.add(context);
    return context;
  }

  @AfterEach
  void close() {
    open.forEach(ConfigurableApplicationContext::close);
  }

  @Test
  void whyAMessageWasSkippedIsAnswered() {
    ConfigurableApplicationContext context = start();
    context.getBean(Deduplicator.class).execute(key, c -> "receipt");

    JsonNode report = get(context, "?scope=payments&id=" + key.id());

    assertThat(report.get("state").asString()).isEqualTo("succeeded");
    assertThat(report.get("meaning").asString()).contains("every further delivery is skipped");
    assertThat(report.get("token").asLong())
        .isEqualTo(context.getBean(ClaimStore.class).find(key).orElseThrow().token());
    assertThat(report.get("owner").asString()).startsWith("pid-");
    assertThat(report.get("updated").asString()).startsWith("2021-05-17T09:41:23");
    assertThat(report.get("expires").asString()).startsWith("2021-05-24");
  }

  @Test
  void aKeyThatNobodyClaimedIsAbsent() {
    JsonNode report = get(start(), "?scope=payments&id=unknown");

    assertThat(report.get("state").asString()).isEqualTo("absent");
    assertThat(report.get("meaning").asString()).contains("the next delivery runs");
  }

  @Test
  void aKafkaKeyIsFoundByGroupAndTopic() {
    ConfigurableApplicationContext context = start();
    IdempotencyKey kafka =
        IdempotencyKey.of(CompositeId.join(List.of("billing", "orders")), key.id());
    context.getBean(Deduplicator.class).execute(kafka, c -> "receipt");

    JsonNode report = get(context, "?group=billing&topic=orders&id=" + key.id());

    assertThat(report.get("state").asString()).isEqualTo("succeeded");
  }

  @Test
  void aQuestionWithoutScopeIsRefused() {
    ConfigurableApplicationContext context = start();

    assertThat(send(context, "?id=1", null).statusCode()).isEqualTo(400);
    assertThat(send(context, "?scope=payments", null).statusCode()).isEqualTo(400);
    assertThat(send(context, "?scope=payments&topic=orders&id=1", null).statusCode())
        .isEqualTo(400);
  }

  @Test
  void nobodyMayWriteUnlessThatIsAllowed() {
    ConfigurableApplicationContext context = start();
    context.getBean(Deduplicator.class).execute(key, c -> "receipt");

    HttpResponse<String> answer =
        send(context, "/reopen", body("\"who\": \"ann\", \"why\": \"wrong account\""));

    assertThat(answer.statusCode()).isBetween(400, 499);
    assertThat(get(context, "?scope=payments&id=" + key.id()).get("state").asString())
        .isEqualTo("succeeded");
  }

  @Test
  void aKeyThatIsReopenedRunsAgainAndTellsWhoAndWhy() {
    ConfigurableApplicationContext context = start(WRITABLE);
    Deduplicator dedup = context.getBean(Deduplicator.class);
    dedup.execute(key, c -> "receipt");

    HttpResponse<String> answer =
        send(context, "/reopen", body("\"who\": \"ann\", \"why\": \"wrong account\""));

    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode change = read(answer);
    assertThat(change.get("applied").asBoolean()).isTrue();
    assertThat(change.get("now").get("state").asString()).isEqualTo("released");
    assertThat(change.get("now").get("note").asString())
        .isEqualTo("reopened by ann: wrong account");
    assertThat(context.getBean(Application.class).audited)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getPrincipal()).isEqualTo("ann");
              assertThat(event.getType()).isEqualTo("DEDUP_REOPEN");
              assertThat(event.getData()).containsEntry("why", "wrong account");
            });
    assertThat(dedup.execute(key, c -> "receipt").isDone()).isTrue();
  }

  @Test
  void aKeyInDoubtIsSettledWithTheTokenOfItsLostClaim() {
    ConfigurableApplicationContext context = start(WRITABLE);
    long token = lost(context);
    String who = "\"who\": \"ann\", \"why\": \"seen in the books\"";

    JsonNode refused = read(send(context, "/done", body("\"token\": " + (token + 1) + ", " + who)));
    JsonNode done =
        read(send(context, "/done", body("\"token\": " + token + ", \"ttl\": \"3d\", " + who)));

    assertThat(refused.get("applied").asBoolean()).isFalse();
    assertThat(done.get("applied").asBoolean()).isTrue();
    assertThat(done.get("now").get("state").asString()).isEqualTo("succeeded");
    assertThat(done.get("now").get("expires").asString()).startsWith("2021-05-20");
  }

  @Test
  void aKeyInDoubtWhoseEffectIsNotDoneRunsAgain() {
    ConfigurableApplicationContext context = start(WRITABLE);
    long token = lost(context);

    JsonNode change =
        read(
            send(
                context,
                "/not-done",
                body("\"token\": " + token + ", \"who\": \"ann\", \"why\": \"not in the books\"")));

    assertThat(change.get("now").get("state").asString()).isEqualTo("released");
  }

  @Test
  void whoDecidesSaysWhoAndWhy() {
    ConfigurableApplicationContext context = start(WRITABLE);

    for (String lacking :
        List.of(
            "\"why\": \"x\"",
            "\"who\": \"ann\"",
            "\"who\": \"ann\", \"why\": \" \"",
            "\"who\": \" \", \"why\": \"x\"")) {
      assertThat(send(context, "/reopen", body(lacking)).statusCode()).as(lacking).isEqualTo(400);
    }
    String who = "\"who\": \"ann\", \"why\": \"x\"";
    assertThat(send(context, "/done", body(who)).statusCode()).isEqualTo(400);
    assertThat(send(context, "/forget", body(who)).statusCode()).isEqualTo(400);
    assertThat(send(context, "/done", body(who + ", \"token\": 1, \"ttl\": \"long\"")).statusCode())
        .isEqualTo(400);
  }

  @Test
  void whoIsLoggedInDoesNotActInAnothersName() {
    ConfigurableApplicationContext context = start(WRITABLE);
    context.getBean(Deduplicator.class).execute(key, c -> "receipt");
    SecurityContext bob =
        new SecurityContext() {
          @Override
          public Principal getPrincipal() {
            return () -> "bob";
          }

          @Override
          public boolean isUserInRole(String role) {
            return true;
          }
        };

    DedupEndpoint.Change change =
        context
            .getBean(DedupEndpoint.class)
            .decide(bob, "reopen", key.id(), "payments", null, null, null, null, "ann", "why not");

    assertThat(change.now().note()).isEqualTo("reopened by bob: why not");
  }

  @Test
  void anEndpointThatIsNotExposedIsNotThere() {
    ConfigurableApplicationContext context = start("management.endpoint.dedup.access=none");

    assertThat(context.getBeansOfType(DedupEndpoint.class)).isEmpty();
    assertThat(send(context, "?scope=a&id=1", null).statusCode()).isEqualTo(404);
  }

  @Test
  void healthAndMetersAreThereInAWholeApplication() {
    ConfigurableApplicationContext context = start(READ_ONLY);
    context.getBean(Deduplicator.class).execute(key, c -> "receipt");

    JsonNode health = read(ask(context, "/actuator/health", null));
    JsonNode meter = read(ask(context, "/actuator/metrics/dedup.claims?tag=answer:executed", null));

    assertThat(health.get("components").get("dedup").get("status").asString()).isEqualTo("UP");
    assertThat(meter.get("measurements").get(0).get("value").asInt()).isEqualTo(1);
  }

  /** Claims the key for a process that vanishes, and returns the token of its claim. */
  private long lost(ConfigurableApplicationContext context) {
    ClaimRequest request =
        ClaimRequest.builder(key, "lost", Duration.ofSeconds(30), Duration.ofDays(1)).build();
    ClaimAnswer answer = context.getBean(ClaimStore.class).claim(List.of(request)).claimed().get(0);
    ((ManualTime) context.getBean(StoreTime.class)).advance(Duration.ofSeconds(30));
    return ((ClaimAnswer.Acquired) answer).token();
  }

  private String body(String more) {
    return "{\"scope\": \"payments\", \"id\": \"" + key.id() + "\", " + more + "}";
  }

  private JsonNode get(ConfigurableApplicationContext context, String path) {
    HttpResponse<String> answer = send(context, path, null);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return read(answer);
  }

  private HttpResponse<String> send(
      ConfigurableApplicationContext context, String path, String json) {
    return ask(context, "/actuator/dedup" + path, json);
  }

  private HttpResponse<String> ask(
      ConfigurableApplicationContext context, String path, String json) {
    String port = Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json");
    if (json != null) {
      request.POST(HttpRequest.BodyPublishers.ofString(json));
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode read(HttpResponse<String> answer) {
    return new JsonMapper().readTree(answer.body());
  }
}
