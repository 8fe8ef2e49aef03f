// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Delivery;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Calls whose effect is done when the Mono that they return completes. Named only where Reactor is
 * on the class path.
 *
 * <p>Each subscription is a call. The method runs at the first one, on a thread that may wait for a
 * store, and goes on when the subscriber has left: its effect is half done then.
 */
final class MonoCalls {

  private MonoCalls() {}

  static Object call(
      AsyncCalls calls, MethodGuard guard, Delivery delivery, IdempotentInterceptor.Run run) {
    return Mono.deferContextual(
            context -> Mono.fromFuture(() -> started(calls, guard, delivery, run, context), true))
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static CompletableFuture<Object> started(
      AsyncCalls calls,
      MethodGuard guard,
      Delivery delivery,
      IdempotentInterceptor.Run run,
      ContextView subscriber) {
    try {
      return calls.call(
          guard,
          delivery,
          context -> {
            Mono<?> mono = (@Nullable Mono<?>) run.proceed(context);
            return mono == null ? null : mono.contextWrite(subscriber).toFuture();
          });
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
