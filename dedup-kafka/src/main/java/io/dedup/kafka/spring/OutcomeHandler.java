// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.adapter.HandlerAdapter;
import org.springframework.kafka.listener.adapter.InvocationResult;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/** Notes what becomes of the value that an asynchronous listener returns. */
final class OutcomeHandler extends HandlerAdapter {

  private static final boolean MONO =
      ClassUtils.isPresent("reactor.core.publisher.Mono", OutcomeHandler.class.getClassLoader());

  private final HandlerAdapter handler;

  /**
   * Makes the handler.
   *
   * @param any some method: the class asks for one, and nothing of it is used
   */
  OutcomeHandler(HandlerAdapter handler, InvocableHandlerMethod any) {
    super(any);
    this.handler = handler;
  }

  @Override
  public boolean isAsyncReplies() {
    return handler.isAsyncReplies();
  }

  @Override
  public @Nullable Object invoke(Message<?> message, @Nullable Object... providedArgs)
      throws Exception {
    Object result = handler.invoke(message, providedArgs);
    AsyncRun run = AsyncRun.current();
    if (run == null) {
      return result;
    }
    if (result instanceof InvocationResult of) {
      return new InvocationResult(noted(run, of.result()), of.sendTo(), of.messageReturnType());
    }
    return noted(run, result);
  }

  /** Returns a value that completes after the note was made: only then is it acknowledged. */
  @SuppressWarnings("FutureReturnValueIgnored") // It is what the method returns.
  private static @Nullable Object noted(AsyncRun run, @Nullable Object value) {
    if (value instanceof CompletableFuture<?> future) {
      return future.whenComplete(
          (result, failure) -> {
            if (failure != null) {
              run.failed(unwrapped(failure));
            }
          });
    }
    return MONO ? Monos.noted(run, value) : value;
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  @Override
  public String getMethodAsString(Object payload) {
    return handler.getMethodAsString(payload);
  }

  @Override
  public Object getBean() {
    return handler.getBean();
  }

  @Override
  public @Nullable InvocationResult getInvocationResultFor(
      Object result, @Nullable Object inboundPayload) {
    return handler.getInvocationResultFor(result, inboundPayload);
  }

  /** Apart, so that the class is not asked for where there is no Reactor. */
  private static final class Monos {

    static @Nullable Object noted(AsyncRun run, @Nullable Object value) {
      return value instanceof Mono<?> mono
          ? mono.doOnError(run::failed)
              .doOnCancel(() -> run.failed(new CancellationException("cancelled")))
          : value;
    }
  }
}
