// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.OnMissingKey;
import io.dedup.claim.OnLeaseExpired;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets the effect of a bean's method happen once for each key: the first call runs, and later ones
 * get what it answered. The manual's page beans.md says what callers get in each case.
 *
 * <p>Works through a proxy: a call from within the bean itself is not guarded. A parameter of the
 * type {@link io.dedup.DedupContext} is given the claim's context, whatever the caller passes. For
 * handlers of HTTP requests use {@code @IdempotentRequest}.
 *
 * <p>Durations are written like {@code 24h}, {@code 30s} or {@code PT30S}. Texts may have
 * placeholders. What is left empty is as the application's properties have it.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

  /**
   * An expression (SpEL) over the parameters, such as {@code #order.number + ':' + #type}; {@code
   * #a0} and {@code #p0} are the first one, whatever its name. A list, {@code {#a, #b}}, is a key
   * of several parts that no other list equals.
   */
  String key();

  /**
   * Whose key it is; by default the bean's class and the method with its parameters' types. Choose
   * one to keep keys when a class or a method gets another name, or to share them.
   */
  String scope() default "";

  /** How effect and completion go together. */
  CallMode[] mode() default {};

  /** The bean name of the {@code Deduplicator} to use, instead of that of a mode. */
  String deduplicator() default "";

  /** How long the answer is kept and the key known as done. */
  String ttl() default "";

  /** How long a key is blocked at most after its process died. */
  String lease() default "";

  /** How long the method may run before its lease is renewed no more. */
  String maxProcessing() default "";

  /** How long to wait for another call that has the key; {@code 0s} fails at once. */
  String inProgressWait() default "";

  /** What happens to a key whose worker was lost. */
  OnLeaseExpired[] onLeaseExpired() default {};

  /** What happens where the key's expression is null or blank, or no text can be made of it. */
  OnMissingKey[] onMissingKey() default {};

  /**
   * Exceptions that are an answer as well: the key is failed, and later calls get {@code
   * EffectNotDone} with the failure instead of running. Others give the key back. In a transaction
   * these roll back, too.
   */
  Class<? extends Throwable>[] recordOn() default {};

  /** Exceptions that give the key back although {@link #recordOn} has a class of theirs. */
  Class<? extends Throwable>[] releaseOn() default {};

  /** How long a recorded failure is kept. */
  String failedTtl() default "";

  /**
   * Classes of answers that are kept beside the declared one, if that is an interface or has
   * subclasses. Those of a sealed type need not be named.
   */
  Class<?>[] resultTypes() default {};

  /**
   * The bean name of the {@code ResultCodec} that keeps answers; by default text and bytes are kept
   * as they are, and others as JSON.
   */
  String codec() default "";
}
