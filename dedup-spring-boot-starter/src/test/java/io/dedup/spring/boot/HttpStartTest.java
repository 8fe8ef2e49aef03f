// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.http.HandlerRefused;
import io.dedup.http.HttpOptions;
import io.dedup.http.IdempotentRequest;
import io.dedup.http.IdempotentRequests;
import io.dedup.http.OnReplay;
import io.dedup.http.OutgoingKeys;
import io.dedup.http.Replay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What is set up for requests, and what is refused when an application starts. */
class HttpStartTest {

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.dedup.http.StartReport");

  @BeforeEach
  void listen() {
    log.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(log);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(log);
    logger.setLevel(null);
    logger.setAdditive(true);
  }

  private List<String> told() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private static WebApplicationContextRunner application() {
    return new WebApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(Applications.ours()))
        .withConfiguration(
            AutoConfigurations.of(
                DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class))
        .withPropertyValues("dedup.store=memory");
  }

  private static WebApplicationContextRunner secured() {
    return application()
        .withConfiguration(
            AutoConfigurations.of(
                SecurityAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class));
  }

  @RestController
  static class Shop {
    @PostMapping("/orders")
    @IdempotentRequest(operation = "order")
    String order() {
      return "ordered";
    }

    @PostMapping("/refunds")
    @IdempotentRequest
    String refund() {
      return "refunded";
    }
  }

  @RestController
  static class Streaming {
    @PostMapping("/stream")
    @IdempotentRequest
    SseEmitter stream() {
      return new SseEmitter();
    }
  }

  @RestController
  static class Rebuilding {
    @PostMapping("/rebuilt")
    @IdempotentRequest(replay = Replay.REBUILD, onReplay = "orders")
    String rebuilt() {
      return "made";
    }
  }

  /** Puts its filter last, since it is no bean with an order. */
  @Configuration
  @EnableWebSecurity
  static class SecurityWithoutBoot {}

  @Test
  void theDefaultsAreThoseOfTheLibrary() {
    HttpProperties defaults =
        new Binder(new MapConfigurationPropertySource())
            .bindOrCreate("dedup.http", Bindable.of(HttpProperties.class));

    assertThat(HttpSettings.options(defaults)).isEqualTo(HttpOptions.defaults());
  }

  @Test
  void whatIsGuardedIsToldInOneLine() {
    secured().withUserConfiguration(Shop.class).run(context -> assertThat(context).hasNotFailed());

    assertThat(told())
        .containsExactly(
            "requests act once by their Idempotency-Key: [POST /refunds, order], behind Spring"
                + " Security");
  }

  @Test
  void anApplicationWithoutSecurityIsWarned() {
    application()
        .withUserConfiguration(Shop.class)
        .run(context -> assertThat(context).hasNotFailed());

    assertThat(told()).last().asString().contains("callers that nobody knows share their keys");
  }

  @Test
  void anApplicationThatGuardsNothingIsNotWarned() {
    application().run(context -> assertThat(context).hasSingleBean(IdempotentRequests.class));

    assertThat(told()).containsExactly("no handler asks for requests that act once");
  }

  @Test
  void aFilterInFrontOfSpringSecurityIsRefusedWithBothOrders() {
    secured()
        .withPropertyValues("dedup.http.filter-order=-101")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .isEqualTo(
                        "dedup.http.filter-order: was -101, must be above that of"
                            + " springSecurityFilterChain, which is -100."));
  }

  @Test
  void aFilterBehindSpringSecuritysMovedOneIsFine() {
    secured()
        .withPropertyValues("dedup.http.filter-order=6", "spring.security.filter.order=5")
        .run(context -> assertThat(context).hasNotFailed());
    secured()
        .withPropertyValues("spring.security.filter.order=20")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .startsWith("dedup.http.filter-order: was 10, must be above"));
  }

  @Test
  void aSecurityFilterThatIsRegisteredAsTheLastIsRefused() {
    application()
        .withUserConfiguration(SecurityWithoutBoot.class)
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .startsWith("dedup.http.filter-order: was 10, must be above"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dedup.http.header=a b|dedup.http.header: was 'a b', must be the name of a header",
        "dedup.http.methods=GET|dedup.http.methods: was [GET], must be some of",
        "dedup.http.key.min-length=0|dedup.http.key: was 0 to 255 characters, must be within",
        "dedup.http.lease=0s|dedup.http.lease: was PT0S, must be at least",
        "dedup.http.retention=1s|dedup.http.retention: was PT1S, must not be below lease",
        "dedup.http.on-lease-expired=probe|dedup.http.on-lease-expired: was PROBE without a probe",
        "dedup.http.status.in-progress=500|dedup.http.status.in-progress: was 500, must be 400",
        "dedup.http.request.max-body=3GB|dedup.http.request.max-body: was 3221225472B, must be",
        "dedup.http.response.headers=Set-Cookie|dedup.http.response.headers: was Set-Cookie, must",
        "dedup.http.problem-base-uri=a b|dedup.http.problem-base-uri: was a b, must be a URI",
        "dedup.http.retry-after-max=0s|dedup.http.retry-after-max: was PT0S, must be at least",
        "dedup.http.headers.status=|dedup.http.headers.status: was '', must be the name of",
        "dedup.http.include=orders/{|dedup.http.include: was 'orders/{', must be a path pattern",
        "dedup.http.wait-for=-1s|dedup.http.wait-for: was PT-1S, must not be negative",
        "dedup.http.outgoing.hosts=*|dedup.http.outgoing.hosts: was [*], must name each host",
      })
  void whatCannotBeStopsTheStartAndIsNamed(String property, String message) {
    application()
        .withPropertyValues(property)
        .run(context -> assertThat(refusal(context.getStartupFailure())).startsWith(message));
  }

  @Test
  void whatCannotBeOfTokensStopsTheStartAndIsNamed() {
    WebApplicationContextRunner tokens =
        application().withPropertyValues("dedup.http.token.enabled=true");
    tokens
        .withPropertyValues("dedup.http.token.ttl=0s")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .startsWith("dedup.http.token.ttl: was PT0S, must be at least PT1S"));
    tokens
        .withPropertyValues(
            "dedup.http.token.kind=signed",
            "dedup.http.token.active-kid=a",
            "dedup.http.token.secrets.a=short")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .startsWith("dedup.http.token.")
                    .doesNotContain("short,"));
    tokens
        .withPropertyValues(
            "dedup.http.token.kind=signed",
            "dedup.http.token.active-kid=a",
            "dedup.http.token.secrets.a=0123456789abcdef0123456789abcdef")
        .run(context -> assertThat(context).hasNotFailed().hasBean("dedupTokenRoutes"));
  }

  @Test
  void secretsAreInNoText() {
    HttpProperties properties =
        new Binder(
                new MapConfigurationPropertySource(
                    Map.of("dedup.http.token.secrets.a", "0123456789abcdef")))
            .bind("dedup.http", Bindable.of(HttpProperties.class))
            .get();

    assertThat(properties.toString()).doesNotContain("0123456789abcdef");
  }

  @Test
  void anUnknownPropertyOfRequestsIsRefusedWithTheOneThatWasMeant() {
    application()
        .withPropertyValues("dedup.http.retentoin=24h")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .contains("did you mean 'dedup.http.retention'?"));
  }

  @Test
  void aHandlerThatCannotBeGuardedStopsTheStartAndIsNamed() {
    application()
        .withUserConfiguration(Streaming.class)
        .run(
            context -> {
              Throwable failure = context.getStartupFailure();
              assertThat(failure).hasRootCauseInstanceOf(IllegalArgumentException.class);
              FailureAnalysis analysis = new HandlerRefusedAnalyzer().analyze(failure);
              assertThat(analysis.getDescription())
                  .contains("Streaming#stream", "replay: was BYTES, must be NONE");
              assertThat(analysis.getCause()).isInstanceOf(HandlerRefused.class);
            });
  }

  @Test
  void whoMakesAnswersAnewIsABeanOfThatName() {
    application()
        .withUserConfiguration(Rebuilding.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("on-replay: was orders, must be one of []"));
    application()
        .withUserConfiguration(Rebuilding.class)
        .withBean("orders", OnReplay.class, () -> request -> null)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void thePropertiesAreTheOptions() {
    HttpProperties properties =
        new Binder(
                new MapConfigurationPropertySource(
                    Map.of(
                        "dedup.http.retention", "2h",
                        "dedup.http.on-lease-expired", "hold",
                        "dedup.http.methods", "PUT",
                        "dedup.http.response.max-body", "1KB",
                        "dedup.http.status.in-progress", "202",
                        "dedup.http.cors.expose-headers", "false")))
            .bind("dedup.http", Bindable.of(HttpProperties.class))
            .get();

    HttpOptions options = HttpSettings.options(properties);

    assertThat(options.policy().ttl()).isEqualTo(Duration.ofHours(2));
    assertThat(options.policy().onLeaseExpired()).isEqualTo(OnLeaseExpired.HOLD);
    assertThat(options.methods()).isEqualTo(Set.of("PUT"));
    assertThat(options.response().maxBody()).isEqualTo(1024);
    assertThat(options.answers().inProgressStatus()).isEqualTo(202);
    assertThat(options.answers().exposeHeaders()).isFalse();
  }

  @Test
  void requestsCanBeLeftAlone() {
    application()
        .withPropertyValues("dedup.http.enabled=false")
        .withUserConfiguration(Shop.class)
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(IdempotentRequests.class)
                    .doesNotHaveBean(DedupHttpAutoConfiguration.FILTER));
  }

  @Test
  void anApplicationWithoutSpringMvcHasNothingForRequests() {
    application()
        .withClassLoader(new FilteredClassLoader(WebMvcConfigurer.class))
        .run(context -> assertThat(context).doesNotHaveBean(DedupHttpAutoConfiguration.class));
    Applications.inMemory()
        .run(context -> assertThat(context).doesNotHaveBean(IdempotentRequests.class));
  }

  @Test
  void clientsSendKeysToNobodyUntilHostsAreNamed() {
    application()
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(OutgoingKeys.class)
                    .doesNotHaveBean("dedupRestClientCustomizer"));
    application()
        .withPropertyValues("dedup.http.outgoing.hosts[0]=bank.example")
        .run(
            context -> {
              assertThat(context).hasSingleBean(OutgoingKeys.class);
              assertThat(context.getBean(OutgoingKeys.class).hosts())
                  .containsExactly("bank.example");
              assertThat(context)
                  .hasSingleBean(RestClientCustomizer.class)
                  .hasSingleBean(WebClientCustomizer.class);
            });
  }

  @Test
  void clientsCanDoWithoutBootsModulesForThem() {
    application()
        .withPropertyValues("dedup.http.outgoing.hosts=bank.example")
        .withClassLoader(
            new FilteredClassLoader(RestClientCustomizer.class, WebClientCustomizer.class))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OutgoingKeys.class));
  }

  private static String refusal(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof ConfigurationRefused refused) {
        return String.valueOf(refused.getMessage());
      }
    }
    return "";
  }
}
