// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.TopicOptions;
import io.dedup.kafka.topic.KeyScope;
import io.dedup.kafka.topic.Ttl;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.config.MultiMethodKafkaListenerEndpoint;

/** Reads {@link IdempotentListener}. */
final class AnnotatedOptions {

  private AnnotatedOptions() {}

  /** Returns the annotation of the endpoint's method or class, null if there is none. */
  static @Nullable IdempotentListener of(KafkaListenerEndpoint endpoint) {
    if (!(endpoint instanceof MethodKafkaListenerEndpoint<?, ?> annotated)) {
      return null;
    }
    Class<?> type = AopUtils.getTargetClass(annotated.getBean());
    if (!(endpoint instanceof MultiMethodKafkaListenerEndpoint)) {
      // Of a bean behind a proxy of its interface, the method is the interface's.
      Method method = AopUtils.getMostSpecificMethod(annotated.getMethod(), type);
      IdempotentListener found =
          AnnotatedElementUtils.findMergedAnnotation(method, IdempotentListener.class);
      if (found != null) {
        return found;
      }
    }
    return AnnotatedElementUtils.findMergedAnnotation(type, IdempotentListener.class);
  }

  /**
   * Returns the options with what the annotation says.
   *
   * @param configured what the configuration says, null if it says nothing
   * @throws IllegalArgumentException if an attribute cannot be read, or there is no key
   */
  static ListenerOptions with(IdempotentListener annotation, @Nullable ListenerOptions configured) {
    List<UnaryOperator<TopicOptions>> changes = new ArrayList<>();
    if (configured != null) {
      changes.add(configured.topic());
    }
    if (!annotation.key().isEmpty()) {
      var key = SpringKeys.parse(annotation.key());
      changes.add(options -> options.key(key));
    }
    if (!annotation.ttl().isEmpty()) {
      Ttl ttl = Ttl.parse(annotation.ttl());
      changes.add(options -> options.ttl(ttl));
    }
    if (!annotation.scope().isEmpty()) {
      KeyScope scope = KeyScope.groupTopicAnd(annotation.scope());
      changes.add(options -> options.scope(scope));
    }
    return new ListenerOptions(
        options -> apply(changes, options),
        one("mode", annotation.mode(), configured == null ? ListenerMode.LEASE : configured.mode()),
        one(
            "guard",
            annotation.guard(),
            configured == null ? GuardSwitch.ENFORCE : configured.guard()),
        configured == null ? null : configured.lease());
  }

  private static TopicOptions apply(
      List<UnaryOperator<TopicOptions>> changes, TopicOptions options) {
    TopicOptions changed = options;
    for (UnaryOperator<TopicOptions> change : changes) {
      changed = change.apply(changed);
    }
    return changed;
  }

  private static <E> E one(String attribute, E[] given, E usual) {
    if (given.length > 1) {
      throw new IllegalArgumentException(
          "@IdempotentListener " + attribute + ": was " + List.of(given) + ", must be one of them");
    }
    return given.length == 0 ? usual : given[0];
  }
}
