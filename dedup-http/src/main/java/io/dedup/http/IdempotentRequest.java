// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.OnLeaseExpired;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets each request to a handler act once, by its idempotency key. On a class it applies to all its
 * handlers that have none of their own.
 *
 * <p>What is left empty is as {@link HttpOptions} has it. Durations are written like {@code 24h},
 * {@code 30s}, or {@code PT30S}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotentRequest {

  /** Names the operation, and so the keys' scope; by default method and route pattern. */
  String operation() default "";

  /** Whether a request without a key is refused; else it runs unguarded. */
  boolean[] required() default {};

  /** Who shares keys. */
  KeyScope[] scope() default {};

  /**
   * A scope as other adapters write it, instead of one made of caller and operation: then a message
   * with this scope and the same id is the same effect. Everybody shares these keys.
   */
  String sharedScope() default "";

  /** Where the key comes from. */
  KeySource keySource() default KeySource.HEADER;

  /**
   * An expression (SpEL) over {@code #header}, {@code #path}, {@code #query}, {@code #principal},
   * {@code #tenant} and {@code #body}; for {@link KeySource#SPEL} and {@link
   * KeySource#HEADER_AND_SPEL} alone.
   */
  String key() default "";

  /** How long an answer is kept and its key known as done. */
  String retention() default "";

  /** How long a key is blocked at most after its process died. */
  String lease() default "";

  /** How long a handler may run before its lease is renewed no more. */
  String maxProcessing() default "";

  /** What happens to a key whose worker was lost: {@code RERUN} or {@code HOLD}. */
  OnLeaseExpired[] onLeaseExpired() default {};

  /** What a request gets while another with its key is worked on. */
  Concurrent[] concurrent() default {};

  /** How long {@link Concurrent#WAIT} waits. It takes a thread of the server that long. */
  String waitFor() default "";

  /** What a repeated request gets. */
  Replay replay() default Replay.BYTES;

  /** The name of the {@link OnReplay} to ask where there is no body to replay. */
  String onReplay() default "";

  /** What happens when the store is down. */
  OnStoreFailure[] onStoreFailure() default {};

  /** What happens to callers who are not known. */
  AnonymousCallers[] anonymous() default {};

  /** Where the key is claimed. */
  ClaimPoint claimPoint() default ClaimPoint.AUTO;

  /** What of the body must be the same. */
  BodyFingerprint fingerprint() default BodyFingerprint.CANONICAL;

  /** Expressions, as in {@link #key()}, for {@link BodyFingerprint#FIELDS}. */
  String[] fields() default {};

  /** JSON pointers to what may differ, such as {@code /timestamp}. */
  String[] ignore() default {};

  /** Request headers that must be the same. */
  String[] fingerprintHeaders() default {};

  /** Whether keys must be tokens of the token endpoint. */
  boolean issuedToken() default false;

  /** Statuses whose answers are kept, whatever the default is. */
  int[] replayStatuses() default {};

  /** Statuses after which the key may be used again, whatever the default is. */
  int[] releaseStatuses() default {};

  /** Exceptions after which the key may be used again, whatever the status. */
  Class<? extends Throwable>[] releaseOn() default {};

  /** Exceptions whose answers are kept, whatever the status. */
  Class<? extends Throwable>[] keepOn() default {};

  /**
   * How long a failure (5xx, or an exception) that would release its key is answered from the
   * store, against storms of repetitions; by default not at all.
   */
  String failureTtl() default "";
}
