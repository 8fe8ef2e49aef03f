// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dedup.Deduplicator;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.http.IdempotentRequest;
import io.dedup.spring.bean.CallMode;
import io.dedup.spring.bean.GuardRefused;
import io.dedup.spring.bean.Idempotent;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.bind.annotation.PostMapping;
import reactor.core.publisher.Flux;

/** What stops the start since it could not be guarded, and what is only told. */
class RefusedBeansTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.dedup.spring.bean");
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.WARN);
    warnings.start();
    logger.addAppender(warnings);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(warnings);
    logger.setLevel(null);
  }

  private List<String> told() {
    return warnings.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  static class Typo {
    @Idempotent(key = "#ordr")
    void pay(String order) {}
  }

  static class NoExpression {
    @Idempotent(key = "#order +")
    void pay(String order) {}
  }

  static class OfNothing {
    @Idempotent(key = "#order.numbr")
    void pay(Shop.Order order) {}
  }

  static class Final {
    @Idempotent(key = "#order")
    final void pay(String order) {}
  }

  @SuppressWarnings("unused") // That it is never called is the point.
  static class Private {
    @Idempotent(key = "#order")
    private void pay(String order) {}
  }

  static class Static {
    @Idempotent(key = "#order")
    static void pay(String order) {}
  }

  static class Anything {
    @Idempotent(key = "#order")
    Object pay(String order) {
      return order;
    }
  }

  static class Streaming {
    @Idempotent(key = "#order")
    Flux<String> pay(String order) {
      return Flux.just(order);
    }
  }

  static class Ttl {
    @Idempotent(key = "#order", ttl = "soon")
    void pay(String order) {}
  }

  static class TtlBelowLease {
    @Idempotent(key = "#order", ttl = "1s")
    void pay(String order) {}
  }

  static class NoDatabase {
    @Idempotent(key = "#order", mode = CallMode.TRANSACTIONAL)
    void pay(String order) {}
  }

  static class NoSuchDeduplicator {
    @Idempotent(key = "#order", deduplicator = "other")
    void pay(String order) {}
  }

  static class NoSuchCodec {
    @Idempotent(key = "#order", codec = "avro")
    String pay(String order) {
      return order;
    }
  }

  static class Handler {
    @PostMapping("/pay")
    @Idempotent(key = "#order")
    public String pay(String order) {
      return order;
    }
  }

  static final class FinalClass {
    @Idempotent(key = "#order")
    void pay(String order) {}
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(Typo.class, "key: was '#ordr', must refer to a parameter, one of [order, a0,"),
        Arguments.of(NoExpression.class, "key: was '#order +', must be an expression"),
        Arguments.of(OfNothing.class, "Shop$Order has no 'numbr'"),
        Arguments.of(Final.class, "was final, must be a method that a proxy can override"),
        Arguments.of(Private.class, "was private, must be a method that a proxy can override"),
        Arguments.of(Static.class, "was static, must be a method that a proxy can override"),
        Arguments.of(Anything.class, "result type: was java.lang.Object"),
        Arguments.of(Streaming.class, "returned type: was reactor.core.publisher.Flux"),
        Arguments.of(Ttl.class, "ttl: was 'soon', must be a duration"),
        Arguments.of(TtlBelowLease.class, "ttl: was PT1S, must not be below lease"),
        Arguments.of(NoDatabase.class, ": mode: was transactional, must be a mode that"),
        Arguments.of(NoSuchDeduplicator.class, ": deduplicator: was 'other', must be the name"),
        Arguments.of(NoSuchCodec.class, ": codec: was 'avro', must be the name of a ResultCodec"),
        Arguments.of(Handler.class, "was on a handler of HTTP requests"),
        Arguments.of(FinalClass.class, "FinalClass"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatCannotBeGuardedStopsTheStartAndIsNamed(Class<?> type, String message) {
    Applications.inMemory()
        .withBean(type)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .satisfies(
                        failure ->
                            assertThat(messages(failure)).contains(message, type.getName())));
  }

  /** Spring's own exceptions repeat the messages of their causes. */
  private static String messages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable e = failure; e != null; e = e.getCause()) {
      all.append(e.getMessage()).append('\n');
    }
    return all.toString();
  }

  @Test
  void aRefusalNamesMethodAndExpressionAndWhatToDo() {
    Applications.inMemory()
        .withBean(Typo.class)
        .run(
            context -> {
              var analysis = new GuardRefusedAnalyzer().analyze(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .startsWith("@Idempotent on " + Typo.class.getName() + ".pay(String): key:");
              assertThat(analysis.getAction()).isNotBlank();
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class LazyBean {
    @Bean
    @Lazy
    Typo typo() {
      return new Typo();
    }
  }

  @Test
  void aLazyBeanIsCheckedWhenTheApplicationStarts() {
    Applications.inMemory()
        .withUserConfiguration(LazyBean.class)
        .run(context -> assertThat(context).getFailure().isInstanceOf(GuardRefused.class));
  }

  static class Self {
    int runs;

    @Idempotent(key = "#order")
    void pay(String order) {
      runs++;
    }

    void payAll(String order) {
      pay(order);
      Stream.of(order).forEach(this::pay);
    }
  }

  static class ThroughItsProxy {
    private @Nullable ThroughItsProxy self;

    @Idempotent(key = "#order")
    void pay(String order) {}

    void payAll(String order) {
      self.pay(order);
    }
  }

  @Test
  void aCallOfAGuardedMethodFromWithinItsClassIsToldAtTheStart() {
    Applications.inMemory()
        .withBean(Self.class)
        .withBean(ThroughItsProxy.class)
        .run(context -> assertThat(context).hasNotFailed());

    assertThat(told())
        .singleElement()
        .asString()
        .contains("calls within " + Self.class.getName() + " run unguarded", "payAll calls pay");
  }

  @Test
  void itStopsTheStartWhereItIsToAndIsNotToldWhereItIsNotTo() {
    Applications.inMemory()
        .withBean(Self.class)
        .withPropertyValues("dedup.beans.self-calls=refuse")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .isInstanceOf(GuardRefused.class)
                    .hasMessageContaining("payAll calls pay"));
    Applications.inMemory()
        .withBean(Self.class)
        .withPropertyValues("dedup.beans.self-calls=ignore")
        .run(context -> assertThat(context).hasNotFailed());

    assertThat(told()).isEmpty();
  }

  static class BothAnnotations {
    @PostMapping("/pay")
    @IdempotentRequest
    @Idempotent(key = "#ordr")
    public String pay(String order) {
      return order;
    }
  }

  @Test
  void onAHandlerOfRequestsTheAnnotationForRequestsAloneApplies() {
    Applications.inMemory()
        .withBean(BothAnnotations.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              context.getBean(BothAnnotations.class).pay("n");
            });
    assertThat(told()).first().asString().contains("@IdempotentRequest alone applies to");
  }

  static class Named {
    int runs;

    @Idempotent(key = "#order", deduplicator = "second", scope = "named")
    int pay(String order) {
      return ++runs;
    }
  }

  @Test
  void aDeduplicatorIsChosenByNameWhereThereAreSeveral() {
    InMemoryClaimStore first = InMemoryClaimStore.create(StoreTime.ofServer(), 100);
    InMemoryClaimStore second = InMemoryClaimStore.create(StoreTime.ofServer(), 100);
    several(first, second)
        .withBean(Named.class)
        .run(
            context -> {
              Named named = context.getBean(Named.class);
              assertThat(named.pay("n") + named.pay("n")).isEqualTo(2);
              assertThat(first.stats().succeeded() + second.stats().succeeded()).isEqualTo(1);
              assertThat(second.stats().succeeded()).isEqualTo(1);
            });
    several(first, second)
        .withBean(Unnamed.class)
        .run(
            context ->
                assertThat(messages(context.getStartupFailure()))
                    .contains(": deduplicator: was not set, must name one of [first, second]"));
  }

  static class Unnamed {
    @Idempotent(key = "#order")
    void pay(String order) {}
  }

  private static ApplicationContextRunner several(
      InMemoryClaimStore first, InMemoryClaimStore second) {
    return Applications.inMemory()
        .withBean("first", Deduplicator.class, () -> Deduplicator.builder(first).build())
        .withBean("second", Deduplicator.class, () -> Deduplicator.builder(second).build());
  }

  @Test
  void switchedOffNothingIsGuarded() {
    Applications.inMemory()
        .withBean(Self.class)
        .withPropertyValues("dedup.beans.enabled=false")
        .run(
            context -> {
              Self self = context.getBean(Self.class);
              self.pay("n");
              self.pay("n");
              assertThat(self.runs).isEqualTo(2);
            });
  }

  interface Till {
    void pay(String order);
  }

  static class ByInterface implements Till {
    int runs;

    @Override
    @Idempotent(key = "#order")
    public void pay(String order) {
      runs++;
      if (order.isEmpty()) {
        throw new IllegalStateException();
      }
    }
  }

  @Test
  void aProxyOfInterfacesGuardsTheirMethods() {
    ByInterface target = new ByInterface();
    Applications.inMemory()
        .withBean(Till.class, () -> target)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context -> {
              context.getBean(Till.class).pay("n");
              context.getBean(Till.class).pay("n");
              assertThat(target.runs).isEqualTo(1);
            });
  }

  @Test
  void theModeOfThePropertiesIsCheckedToo() {
    Applications.inMemory()
        .withBean(Self.class)
        .withPropertyValues("dedup.beans.mode=transactional")
        .run(
            context ->
                assertThat(messages(context.getStartupFailure()))
                    .contains("mode: was transactional, must be a mode that"));
  }
}
