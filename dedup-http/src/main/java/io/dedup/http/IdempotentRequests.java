// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Claims;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.LargeResults;
import io.dedup.ResultCodec;
import io.dedup.claim.ClaimStore;
import io.dedup.time.ProcessClock;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The parts that let requests to a Spring MVC application act once, and how they go together.
 * Thread-safe.
 *
 * <p>Make it a bean, so that handlers are checked when the application starts; register {@link
 * #filter()} behind Spring Security's filter, for the dispatcher types REQUEST and ASYNC, with
 * asynchronous processing allowed; add {@link #interceptor()}, {@link #argumentResolver()} and
 * {@link #exceptionResolver()} to the configuration of MVC; and, where method security checks
 * handlers, make {@link #advisor()} a bean of {@code ROLE_INFRASTRUCTURE}.
 */
public final class IdempotentRequests implements SmartInitializingSingleton, BeanFactoryAware {

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentRequests.class);

  private final HttpOptions options;
  private final SecurityPlace place;
  private final StartCheck check;
  private final Admission admission;
  private final Filter filter;
  private final HandlerInterceptor interceptor;
  private final Advisor advisor;
  private final HandlerExceptionResolver exceptionResolver;
  private final @Nullable RouterFunction<ServerResponse> tokenRoutes;
  private volatile List<PathPattern> keyedWithoutHeader = List.of();
  private volatile Map<String, Operation> tokenOperations = Map.of();
  private @Nullable BeanFactory beans;

  private IdempotentRequests(Builder builder) {
    this.options = builder.options;
    this.place = builder.place;
    Tokens tokens = builder.tokens();
    CallerResolver callers = builder.callers();
    AnswerWriter writer = new AnswerWriter(options);
    Told told = new Told(builder.listeners);
    // Each request waits for its own completion: none has to wait for room as well, and no more can
    // be waiting than the server handles at once.
    Claims claims = builder.deduplicator.claims(Deduplicator.MAX_UNSETTLED);
    Gate gate = new Gate(claims, builder.clock, options.answers().retryAfterMax());
    Operations operations =
        new Operations(options, new OperationReader(options, builder.onReplay, tokens));
    this.admission = new Admission(options, gate, builder.codec(), writer, told);
    Settling settling =
        new Settling(
            claims,
            options,
            new Settler(builder.codec()),
            writer,
            told,
            new GivenUp(builder.clock));
    Preparation preparation = new Preparation(options, callers, builder.tenants, tokens);
    this.check = new StartCheck(options, operations, IdempotencyAdvisor.class);
    this.filter =
        new IdempotencyFilter(options, settling, builder.place, this::isKeyedWithoutHeader);
    this.interceptor =
        new IdempotencyInterceptor(operations, preparation, admission, writer, builder.place);
    this.advisor = new IdempotencyAdvisor(() -> admission);
    this.exceptionResolver = new AnswerResolver(writer);
    this.tokenRoutes =
        tokens == null
            ? null
            : new TokenRoutes(tokens, callers, options, () -> tokenOperations)
                .at(builder.tokenPath());
  }

  /** Returns a builder on a deduplicator. */
  public static Builder builder(Deduplicator deduplicator) {
    return new Builder(deduplicator);
  }

  /**
   * Returns what the handler of a request may know of its claim, null if it runs without one. A
   * handler that has a parameter of this type is given it.
   */
  public static @Nullable DedupContext context(HttpServletRequest request) {
    return Admission.context(request);
  }

  /** Returns the filter. */
  public Filter filter() {
    return filter;
  }

  /** Returns the interceptor, to be the last. */
  public HandlerInterceptor interceptor() {
    return interceptor;
  }

  /** Returns the advisor that claims keys behind method security. */
  public Advisor advisor() {
    return advisor;
  }

  /**
   * Returns the advisor of requests that need not be made yet: advisors are asked for by the first
   * bean of an application.
   */
  public static Advisor advisor(Supplier<IdempotentRequests> requests) {
    return new IdempotencyAdvisor(SingletonSupplier.of(() -> requests.get().admission));
  }

  /** Returns the resolver that writes the advisor's answers, to be the first. */
  public HandlerExceptionResolver exceptionResolver() {
    return exceptionResolver;
  }

  /** Returns the resolver of parameters of the type {@link DedupContext}. */
  public HandlerMethodArgumentResolver argumentResolver() {
    return new DedupContextResolver();
  }

  /**
   * Returns the token endpoint, to be a bean.
   *
   * @throws IllegalStateException if there is none
   */
  public RouterFunction<ServerResponse> tokenRoutes() {
    if (tokenRoutes == null) {
      throw new IllegalStateException("tokens: was not set, must be set for an endpoint");
    }
    return tokenRoutes;
  }

  @Override
  public void setBeanFactory(BeanFactory factory) {
    this.beans = factory;
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (beans instanceof ListableBeanFactory factory) {
      var mappings =
          BeanFactoryUtils.beansOfTypeIncludingAncestors(
              factory, RequestMappingHandlerMapping.class);
      if (mappings.isEmpty()) {
        LOG.warn("no mapping of handlers in this context: call check, else none is checked");
      }
      check(mappings.values(), factory);
    }
  }

  /**
   * Checks all handlers. Called when the application starts if this is a bean, else to be called.
   *
   * @throws HandlerRefused naming a handler, what it was and what it must be
   */
  public void check(Iterable<RequestMappingHandlerMapping> mappings, BeanFactory factory) {
    mappings.forEach(
        mapping ->
            mapping.getHandlerMethods().forEach((info, handler) -> check(info, handler, factory)));
    keyedWithoutHeader = check.keyedWithoutHeader();
    tokenOperations = check.tokenOperations();
    StartReport.tell(check.guarded(), options, place);
  }

  private void check(RequestMappingInfo info, HandlerMethod handler, BeanFactory factory) {
    Set<String> methods = new HashSet<>();
    info.getMethodsCondition().getMethods().forEach(method -> methods.add(method.name()));
    check.check(info.getPatternValues(), methods, handler, factory);
  }

  /** One look at the path, and only where such operations are. */
  private boolean isKeyedWithoutHeader(HttpServletRequest request) {
    if (keyedWithoutHeader.isEmpty()) {
      return false;
    }
    boolean parsed = ServletRequestPathUtils.hasParsedRequestPath(request);
    var path =
        (parsed
                ? ServletRequestPathUtils.getParsedRequestPath(request)
                : ServletRequestPathUtils.parseAndCache(request))
            .pathWithinApplication();
    if (!parsed) {
      ServletRequestPathUtils.clearParsedRequestPath(request);
    }
    return keyedWithoutHeader.stream().anyMatch(pattern -> pattern.matches(path));
  }

  /** Collects the parts. */
  public static final class Builder {
    private final Deduplicator deduplicator;
    private final List<HttpListener> listeners = new ArrayList<>();
    private final Map<String, OnReplay> onReplay = new HashMap<>();
    private HttpOptions options = HttpOptions.defaults();
    private ProcessClock clock = ProcessClock.system();
    private SecurityPlace place = SecurityPlace.ABSENT;
    private TenantResolver tenants = request -> "";
    private @Nullable CallerResolver callers;
    private @Nullable TokenOptions tokenOptions;
    private @Nullable ClaimStore tokenStore;
    private @Nullable LargeResults largeResults;

    private Builder(Deduplicator deduplicator) {
      this.deduplicator = deduplicator;
    }

    /** Sets the options. */
    public Builder options(HttpOptions value) {
      this.options = value;
      return this;
    }

    /** Says that the filter is behind Spring Security's; checked at each request. */
    public Builder behindSecurity() {
      this.place = SecurityPlace.BEHIND;
      return this;
    }

    /** Sets who knows tenants; by default there are none. */
    public Builder tenants(TenantResolver value) {
      this.tenants = value;
      return this;
    }

    /** Sets who knows callers; by default the container, or Spring Security through it. */
    public Builder callers(CallerResolver value) {
      this.callers = value;
      return this;
    }

    /** Adds somebody that operations can name to make the answer of a repeated request. */
    public Builder onReplay(String name, OnReplay value) {
      this.onReplay.put(name, value);
      return this;
    }

    /**
     * Sets where responses go that are too large for the record of their key; by default all are
     * kept there that {@link ResponseLimits#maxBody} allows at all.
     */
    public Builder largeResults(LargeResults value) {
      this.largeResults = value;
      return this;
    }

    /** Adds somebody to be told how requests were treated. */
    public Builder listener(HttpListener value) {
      this.listeners.add(value);
      return this;
    }

    /**
     * Lets tokens be issued.
     *
     * @param value how
     * @param store the deduplicator's; remembers tokens that are not signed
     */
    public Builder tokens(TokenOptions value, ClaimStore store) {
      this.tokenOptions = value;
      this.tokenStore = store;
      return this;
    }

    /** Sets the clock of the process; by default the JVM's. */
    public Builder clock(ProcessClock value) {
      this.clock = value;
      return this;
    }

    /**
     * Returns the parts.
     *
     * @throws IllegalArgumentException if something does not go together
     */
    public IdempotentRequests build() {
      return new IdempotentRequests(this);
    }

    private ResultCodec<StoredResponse> codec() {
      return largeResults == null
          ? StoredResponseForm.INSTANCE
          : largeResults.around(StoredResponseForm.INSTANCE);
    }

    private CallerResolver callers() {
      return callers == null ? new KnownCallers(tenants, KnownCaller.clients()) : callers;
    }

    private @Nullable Tokens tokens() {
      TokenOptions wanted = tokenOptions;
      return wanted == null || tokenStore == null
          ? null
          : Tokens.of(wanted, tokenStore, options, clock);
    }

    private String tokenPath() {
      return tokenOptions == null ? TokenOptions.DEFAULT_PATH : tokenOptions.path();
    }
  }
}
