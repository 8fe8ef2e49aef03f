// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.ClassUtils;

/**
 * Guards the annotated methods of an application's beans: {@link #advisor()} is to be a bean of
 * {@code ROLE_INFRASTRUCTURE}, and this one too, so that what cannot be guarded stops the start.
 * Thread-safe.
 */
public final class GuardedBeans implements SmartInitializingSingleton, AutoCloseable {

  /** Behind all interceptors of method security, which end at 600, and before transactions. */
  public static final int ORDER = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(GuardedBeans.class);
  private static final int SETTLING_THREADS = 8;
  private static final int IDLE_SECONDS = 10;

  private final ConfigurableListableBeanFactory beans;
  private final CallDefaults defaults;
  private final GuardedMethods methods;
  private final MethodGuards guards;
  private final ThreadPoolExecutor settling;
  private final Advisor advisor;

  /**
   * Makes the guards.
   *
   * @param texts resolves placeholders
   */
  public GuardedBeans(
      ConfigurableListableBeanFactory beans,
      CallDefaults defaults,
      CallParts parts,
      UnaryOperator<String> texts) {
    this.beans = beans;
    this.defaults = defaults;
    this.methods = new GuardedMethods(defaults, texts::apply);
    this.guards = new MethodGuards(parts);
    CustomizableThreadFactory threads = new CustomizableThreadFactory("dedup-settle-");
    threads.setDaemon(true);
    this.settling =
        new ThreadPoolExecutor(
            SETTLING_THREADS,
            SETTLING_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            threads,
            // After the end: what is done is settled all the same.
            (work, closed) -> work.run());
    settling.allowCoreThreadTimeOut(true);
    DefaultPointcutAdvisor made =
        new DefaultPointcutAdvisor(
            new Annotated(), new IdempotentInterceptor(methods, guards, new AsyncCalls(settling)));
    made.setOrder(ORDER);
    this.advisor = made;
  }

  /** Returns what stands in front of the methods. */
  public Advisor advisor() {
    return advisor;
  }

  /** Checks all beans, lazy ones and those of other scopes included. */
  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null) {
        check(name, ClassUtils.getUserClass(type));
      }
    }
  }

  private void check(String name, Class<?> type) {
    Map<Method, GuardedMethod> guarded = methods.of(type);
    if (guarded.isEmpty()) {
      return;
    }
    guarded.values().forEach(guards::of);
    Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
    if (bean != null && type.isInstance(target(bean))) {
      guarded.keySet().forEach(method -> checkGuarded(name, bean, method));
    }
    checkSelfCalls(type, guarded);
  }

  private static @Nullable Object target(Object bean) {
    try {
      return bean instanceof Advised advised ? advised.getTargetSource().getTarget() : bean;
    } catch (Exception e) {
      throw new IllegalStateException("the target of a singleton is there", e);
    }
  }

  private void checkGuarded(String name, Object bean, Method method) {
    boolean advised =
        bean instanceof Advised proxy
            && List.of(proxy.getAdvisors()).stream().anyMatch(one -> one == advisor);
    if (!advised) {
      throw GuardRefused.of(
          method,
          "was of the bean '"
              + name
              + "', which no proxy stands in front of: it was made too early, or its class is final",
          "Let no BeanPostProcessor or BeanFactoryPostProcessor depend on it, and its class be"
              + " open.",
          null);
    }
    if (AopUtils.isJdkDynamicProxy(bean) && !isOfInterface(method, bean)) {
      throw GuardRefused.of(
          method,
          "was of the bean '" + name + "', whose proxy has the methods of its interfaces alone",
          "Declare the method in an interface, or set spring.aop.proxy-target-class=true.",
          null);
    }
  }

  private static boolean isOfInterface(Method method, Object bean) {
    for (Class<?> one : bean.getClass().getInterfaces()) {
      if (ClassUtils.hasMethod(one, method)) {
        return true;
      }
    }
    return false;
  }

  private void checkSelfCalls(Class<?> type, Map<Method, GuardedMethod> guarded) {
    if (defaults.selfCalls() == SelfCalls.IGNORE) {
      return;
    }
    List<String> calls = SelfCallCheck.calls(type, guarded.keySet());
    if (calls.isEmpty()) {
      return;
    }
    if (defaults.selfCalls() == SelfCalls.REFUSE) {
      throw GuardRefused.of(
          guarded.keySet().iterator().next(),
          "was called from within its own class, where no proxy sees it: " + calls,
          "Call it through another bean, or guard the calling method.",
          null);
    }
    LOG.warn("calls within {} run unguarded, no proxy sees them: {}", type.getName(), calls);
  }

  @Override
  public void close() {
    settling.shutdown();
  }

  private final class Annotated extends StaticMethodMatcherPointcut {
    Annotated() {
      ClassFilter filter = type -> !methods.of(type).isEmpty();
      setClassFilter(filter);
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
      return methods.find(method, type) != null;
    }
  }
}
