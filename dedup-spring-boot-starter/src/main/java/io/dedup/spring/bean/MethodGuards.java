// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Deduplicator;
import io.dedup.Policy;
import io.dedup.ResultCodec;
import io.dedup.spring.result.AnswerCodec;
import io.dedup.spring.result.JsonResultCodec;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** Puts the guards of methods together, each once. Thread-safe. */
final class MethodGuards {

  private static final String TRANSACTIONAL =
      "org.springframework.transaction.annotation.Transactional";
  private static final Set<String> OUT_OF_OURS = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

  private final CallParts parts;
  private final ConcurrentMap<GuardedMethod, MethodGuard> guards = new ConcurrentHashMap<>();

  MethodGuards(CallParts parts) {
    this.parts = parts;
  }

  /**
   * Returns the guard of a method.
   *
   * @throws GuardRefused if its parts do not go together
   */
  MethodGuard of(GuardedMethod method) {
    MethodGuard known = guards.get(method);
    if (known != null) {
      return known;
    }
    // Not within the map: parts are made here, which may need other guards.
    MethodGuard made = made(method);
    MethodGuard before = guards.putIfAbsent(method, made);
    return before == null ? made : before;
  }

  private MethodGuard made(GuardedMethod method) {
    Deduplicator deduplicator = deduplicator(method);
    if (deduplicator.isTransactional()) {
      checkTransactional(method);
    }
    Policy policy = method.policy(deduplicator.policy());
    return new MethodGuard(method, deduplicator, policy, codec(method, policy));
  }

  private Deduplicator deduplicator(GuardedMethod method) {
    String by = "@Idempotent on " + GuardRefused.text(method.method());
    String name = method.texts().resolve(method.annotation().deduplicator());
    if (name.isEmpty()) {
      boolean lease = method.mode() == CallMode.LEASE;
      return parts.deduplicator(method.mode(), by + (lease ? ": deduplicator" : ": mode"));
    }
    if (method.annotation().mode().length > 0) {
      throw method.refused(
          "mode: was set beside a deduplicator, which has its own",
          "Set mode or deduplicator.",
          null);
    }
    return parts.deduplicator(name, by + ": deduplicator");
  }

  private static void checkTransactional(GuardedMethod method) {
    if (method.kind().isAsynchronous()) {
      throw method.refused(
          "returned type: was "
              + method.method().getReturnType().getSimpleName()
              + ", must be a value in a transaction, which ends when the method returns",
          "Use mode=LEASE, or return a value.",
          null);
    }
    MergedAnnotation<?> transactional =
        MergedAnnotations.from(method.method(), MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
            .get(TRANSACTIONAL);
    String propagation =
        transactional.isPresent()
            ? String.valueOf(transactional.getValue("propagation").orElse(""))
            : "";
    if (OUT_OF_OURS.contains(propagation)) {
      throw method.refused(
          "@Transactional: was " + propagation + ", must take part in the key's transaction",
          "Use propagation REQUIRED, or mode=LEASE.",
          null);
    }
  }

  private ResultCodec<Object> codec(GuardedMethod method, Policy policy) {
    Class<?> type = method.value().toClass();
    if (type == void.class || type == Void.class) {
      return ResultCodec.none();
    }
    return parts.largeResults(policy).around(new AnswerCodec<>(values(method, type)));
  }

  @SuppressWarnings("unchecked") // What the method answers is what its codec is made for.
  private ResultCodec<Object> values(GuardedMethod method, Class<?> type) {
    String name = method.texts().resolve(method.annotation().codec());
    ResultCodec<?> codec;
    if (!name.isEmpty()) {
      codec = parts.codec(name, "@Idempotent on " + GuardRefused.text(method.method()) + ": codec");
    } else if (type == String.class) {
      codec = ResultCodec.text();
    } else {
      codec = type == byte[].class ? ResultCodec.bytes() : json(method);
    }
    return (ResultCodec<Object>) codec;
  }

  private ResultCodec<?> json(GuardedMethod method) {
    Type declared = method.value().getType();
    JsonResultCodec.Builder<Object> json =
        JsonResultCodec.builder(method.value().resolve() == null ? Object.class : declared);
    Arrays.stream(method.annotation().resultTypes()).forEach(json::allow);
    try {
      return json.mapper(parts.mapper()).build();
    } catch (IllegalArgumentException e) {
      throw method.refused(
          String.valueOf(e.getMessage()),
          "Declare a class as the return type, name those of the answers in resultTypes, or name a"
              + " codec.",
          e);
    }
  }
}
