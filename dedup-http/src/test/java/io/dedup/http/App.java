// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;

/** One process of a Spring MVC application, on a real server, and a client of it. */
final class App implements AutoCloseable {

  static final String KEY = "Idempotency-Key";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final Told told = new Told();
  private final Deduplicator deduplicator;
  private final AnnotationConfigWebApplicationContext context =
      new AnnotationConfigWebApplicationContext();
  private final WebServer server;

  private App(Builder builder) throws Exception {
    this.deduplicator = builder.deduplicator();
    IdempotentRequests.Builder requests =
        IdempotentRequests.builder(deduplicator)
            .options(HttpOptions.of(builder.options))
            .listener(told);
    builder.requests.accept(requests);
    register("requests", IdempotentRequests.class, requests::build);
    context.register(Mvc.class);
    builder.beans.forEach(context::register);
    builder.instances.forEach(
        bean -> register("bean" + System.identityHashCode(bean), type(bean), () -> bean));
    if (builder.tokens != null) {
      requests.tokens(builder.tokens, builder.store);
      register(
          "tokens",
          RouterFunction.class,
          () -> context.getBean(IdempotentRequests.class).tokenRoutes());
    }
    this.server = builder.server.start(servlets -> register(servlets, builder));
  }

  private <T> void register(String name, Class<T> type, Supplier<T> supplier) {
    context.addBeanFactoryPostProcessor(
        factory ->
            ((BeanDefinitionRegistry) factory)
                .registerBeanDefinition(name, new RootBeanDefinition(type, supplier)));
  }

  @SuppressWarnings("unchecked")
  private static Class<Object> type(Object bean) {
    return (Class<Object>) bean.getClass();
  }

  private void register(ServletContext servlets, Builder builder) {
    context.setServletContext(servlets);
    context.refresh();
    builder.before.forEach(filter -> filter(servlets, filter.apply(context)));
    filter(servlets, new HeaderPrincipal());
    filter(servlets, context.getBean(IdempotentRequests.class).filter());
    builder.after.forEach(filter -> filter(servlets, filter.apply(context)));
    ServletRegistration.Dynamic mvc = servlets.addServlet("mvc", new DispatcherServlet(context));
    mvc.addMapping("/");
    mvc.setAsyncSupported(true);
    mvc.setLoadOnStartup(1);
    mvc.setMultipartConfig(new MultipartConfigElement(""));
  }

  private static void filter(ServletContext servlets, Filter filter) {
    FilterRegistration.Dynamic registration =
        servlets.addFilter("filter" + System.identityHashCode(filter), filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
  }

  static Builder on(ClaimStore store) {
    return new Builder(store);
  }

  int port() {
    return server.port();
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Sends a request with the JSON body; headers are names and values by turns. */
  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    return CLIENT.send(request("POST", path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> send(HttpRequest request) throws Exception {
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> postLater(String path, String body, String... headers) {
    return CLIENT.sendAsync(
        request("POST", path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  HttpRequest request(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    boolean typed = List.of(headers).contains("Content-Type");
    if (!typed) {
      request.header("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request.build();
  }

  @Override
  public void close() throws Exception {
    deduplicator.close();
    server.close();
    context.close();
  }

  /** What was told, in order. */
  static final class Told implements HttpListener {
    private final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void treated(String operation, RequestOutcome outcome) {
      all.add(operation + " " + outcome);
    }

    List<String> all() {
      return all;
    }
  }

  /** Collects what an application is made of. */
  static final class Builder {
    private final ClaimStore store;
    private final List<Class<?>> beans = new ArrayList<>();
    private final List<Object> instances = new ArrayList<>();
    private final List<Function<AnnotationConfigWebApplicationContext, Filter>> before =
        new ArrayList<>();
    private final List<Function<AnnotationConfigWebApplicationContext, Filter>> after =
        new ArrayList<>();
    private WebServer.Starter server = TomcatServer::start;
    private UnaryOperator<HttpOptionsBuilder> options = o -> o;
    private Consumer<IdempotentRequests.Builder> requests = r -> {};
    private Deduplicator deduplicator;
    private TokenOptions tokens;

    private Builder(ClaimStore store) {
      this.store = store;
    }

    private Deduplicator deduplicator() {
      return deduplicator == null
          ? Deduplicator.builder(store).maxUnsettled(1000).build()
          : deduplicator;
    }

    Builder deduplicator(Deduplicator value) {
      this.deduplicator = value;
      return this;
    }

    Builder server(WebServer.Starter value) {
      this.server = value;
      return this;
    }

    Builder options(UnaryOperator<HttpOptionsBuilder> changes) {
      this.options = changes;
      return this;
    }

    Builder requests(Consumer<IdempotentRequests.Builder> changes) {
      this.requests = changes;
      return this;
    }

    Builder tokens(TokenOptions value) {
      this.tokens = value;
      return this;
    }

    Builder bean(Class<?> type) {
      beans.add(type);
      return this;
    }

    Builder bean(Object instance) {
      instances.add(instance);
      return this;
    }

    Builder filterBefore(Function<AnnotationConfigWebApplicationContext, Filter> filter) {
      before.add(filter);
      return this;
    }

    Builder filterBehind(Filter filter) {
      after.add(context -> filter);
      return this;
    }

    App start() throws Exception {
      return new App(this);
    }
  }

  /** The user is who the header X-User says. */
  private static final class HeaderPrincipal implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      HttpServletRequest http = (HttpServletRequest) request;
      String user = http.getHeader("X-User");
      if (user == null || http.getDispatcherType() != DispatcherType.REQUEST) {
        chain.doFilter(request, response);
        return;
      }
      Principal principal = () -> user;
      chain.doFilter(
          new HttpServletRequestWrapper(http) {
            @Override
            public Principal getUserPrincipal() {
              return principal;
            }
          },
          response);
    }
  }

  /** As a user would wire it. */
  @Configuration(proxyBeanMethods = false)
  @EnableWebMvc
  static class Mvc implements WebMvcConfigurer {
    @Autowired private IdempotentRequests requests;

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
      registry.addInterceptor(requests.interceptor());
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
      resolvers.add(requests.argumentResolver());
    }

    @Override
    public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
      resolvers.add(0, requests.exceptionResolver());
    }

    @Override
    public void configureAsyncSupport(AsyncSupportConfigurer async) {
      async.setDefaultTimeout(2_000);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor idempotency(ObjectProvider<IdempotentRequests> requests) {
      return requests.getObject().advisor();
    }
  }
}
