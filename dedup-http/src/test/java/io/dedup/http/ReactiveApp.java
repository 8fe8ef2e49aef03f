// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A WebFlux application on Netty. */
final class ReactiveApp implements AutoCloseable {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(30))
          .build();

  final App.Told told = new App.Told();
  private final Deduplicator deduplicator;
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final DisposableServer server;

  ReactiveApp(
      ClaimStore store,
      UnaryOperator<HttpOptionsBuilder> options,
      Consumer<ReactiveRequestsBuilder> changes,
      Class<?>... beans) {
    this.deduplicator = Deduplicator.builder(store).commandTimeout(Duration.ofSeconds(30)).build();
    ReactiveRequestsBuilder requests =
        ReactiveIdempotentRequests.builder(deduplicator)
            .options(HttpOptions.of(options))
            .tokens(TokenOptions.stored(), store)
            .listener(told);
    changes.accept(requests);
    context.registerBean(ReactiveIdempotentRequests.class, requests::build);
    context.registerBean(Work.class, Work::new);
    context.registerBean(
        "tokenRoutes",
        RouterFunction.class,
        () -> context.getBean(ReactiveIdempotentRequests.class).tokenRoutes());
    context.register(Wiring.class);
    context.register(beans);
    context.refresh();
    this.server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle(
                new ReactorHttpHandlerAdapter(
                    WebHttpHandlerBuilder.applicationContext(context).build()))
            .bindNow(Duration.ofSeconds(30));
  }

  /** What handlers did. */
  static final class Work {
    final AtomicInteger runs = new AtomicInteger();
    final Semaphore entered = new Semaphore(0);
    volatile Mono<String> script = Mono.fromSupplier(() -> "run " + runs.get());

    Mono<String> run() {
      return Mono.defer(
          () -> {
            runs.incrementAndGet();
            entered.release();
            return script;
          });
    }
  }

  /** As a user would wire it. */
  @Configuration(proxyBeanMethods = false)
  @EnableWebFlux
  static class Wiring implements WebFluxConfigurer {
    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
      resolvers.addCustomResolver(new ReactiveContextResolver());
    }

    @Bean
    WebFilter idempotency(ReactiveIdempotentRequests requests) {
      return requests.webFilter();
    }

    @Bean
    HandlerAdapter idempotencyAdapter(ReactiveIdempotentRequests requests) {
      return requests.handlerAdapter();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor idempotencyAdvisor(ObjectProvider<ReactiveIdempotentRequests> requests) {
      return ReactiveIdempotentRequests.advisor(requests::getObject);
    }

    /** Takes the caller's word for who he is. */
    @Bean
    @Order(-50)
    WebFilter principal() {
      return (exchange, chain) -> {
        String name = exchange.getRequest().getHeaders().getFirst("X-User");
        return chain.filter(name == null ? exchange : named(exchange, name));
      };
    }

    private static ServerWebExchange named(ServerWebExchange exchange, String name) {
      Principal principal = () -> name;
      return new ServerWebExchangeDecorator(exchange) {
        @Override
        @SuppressWarnings("unchecked")
        public <T extends Principal> Mono<T> getPrincipal() {
          return Mono.just((T) principal);
        }
      };
    }
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  int port() {
    return server.port();
  }

  HttpRequest request(String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(60))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!List.of(headers).contains("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    return (headers.length == 0 ? request : request.headers(headers)).build();
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    return CLIENT.send(request(path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> postLater(String path, String body, String... headers) {
    return CLIENT.sendAsync(request(path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    server.disposeNow(Duration.ofSeconds(10));
    context.close();
    deduplicator.close();
  }
}
