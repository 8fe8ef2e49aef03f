// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has the effects of a {@code @KafkaListener}, method or class, happen once for each key. What is
 * left empty is taken from the configuration of the topic.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface IdempotentListener {

  /**
   * Where a record's key is, for example {@code header:event-id} or {@code json:/order/number}; see
   * {@link SpringKeys#parse}.
   */
  String key() default "";

  /**
   * How long a key is known as done, {@code retention} or a duration such as {@code P7D}; see
   * {@link io.dedup.kafka.topic.Ttl#parse}.
   */
  String ttl() default "";

  /** How effects happen once: one of {@link ListenerMode}; at most one. */
  ListenerMode[] mode() default {};

  /** Whether they do: one of {@link GuardSwitch}; at most one. */
  GuardSwitch[] guard() default {};

  /**
   * Which of several listeners this is that read the same partitions in the same group and each act
   * once: part of its keys' scope then.
   */
  String scope() default "";
}
