// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
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
  boolean buffer(HttpOptions.RequestLimits limits) throws IOException {
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
    return read == null ? super.getInputStream() : new BodyStream(read.open());
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

  private static final class BodyStream extends ServletInputStream {
    private final InputStream in;
    private boolean finished;

    BodyStream(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      int b = in.read();
      finished = b < 0;
      return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      finished = read < 0;
      return read;
    }

    @Override
    public boolean isFinished() {
      return finished;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    /** All of it is there already. */
    @Override
    public void setReadListener(ReadListener listener) {
      try {
        listener.onDataAvailable();
        if (finished) {
          listener.onAllDataRead();
        }
      } catch (IOException e) {
        listener.onError(e);
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
