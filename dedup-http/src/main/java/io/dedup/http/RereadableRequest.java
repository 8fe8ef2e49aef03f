// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body can be looked at before its handler reads it. Until {@link #buffer} it is
 * the request as it came.
 */
final class RereadableRequest extends HttpServletRequestWrapper {

  private final RequestExchange exchange;
  private volatile @Nullable Body body;

  RereadableRequest(HttpServletRequest request, RequestExchange exchange) {
    super(request);
    this.exchange = exchange;
  }

  /** Reads the body. Returns whether it is within the limit. */
  boolean buffer(RequestLimits limits) throws IOException {
    Body read = new Body(limits.spoolThreshold());
    body = read;
    return read.readFrom(super.getInputStream(), limits.maxBody());
  }

  /** Returns the body; {@link #buffer} was called before. */
  Body body() {
    return Objects.requireNonNull(body, "body");
  }

  boolean isBuffered() {
    return body != null;
  }

  void discard() {
    Body read = body;
    if (read != null) {
      read.close();
    }
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    Body read = body;
    return read == null ? super.getInputStream() : new BodyInput(read.open());
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (body == null) {
      return super.getReader();
    }
    String name = getCharacterEncoding();
    Charset charset = name == null ? StandardCharsets.ISO_8859_1 : Charset.forName(name);
    return new BufferedReader(new InputStreamReader(getInputStream(), charset));
  }

  /** Starts with our wrappers, else what is written later would pass by them. */
  @Override
  public AsyncContext startAsync() {
    return startAsync(this, exchange.response());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    AsyncContext context = super.startAsync(request, response);
    exchange.asyncStarted(context);
    return new GuardedAsyncContext(context, exchange);
  }

  @Override
  public AsyncContext getAsyncContext() {
    return new GuardedAsyncContext(super.getAsyncContext(), exchange);
  }
}
