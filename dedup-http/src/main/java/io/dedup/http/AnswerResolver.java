// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Writes the answers that the advisor signals. Before all others: it is no error. Thread-safe. */
final class AnswerResolver implements HandlerExceptionResolver, Ordered {

  private final AnswerWriter writer;

  AnswerResolver(AnswerWriter writer) {
    this.writer = writer;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    if (!(failure instanceof AnswerSignal signal)) {
      return null;
    }
    try {
      writer.write(signal.answer(), request, response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ModelAndView();
  }
}
