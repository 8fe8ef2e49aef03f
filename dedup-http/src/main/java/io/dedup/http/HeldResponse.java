// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A response that is held back until its completion is stored. Until {@link #hold} it is the
 * response as it is, and so it stays for what is not guarded.
 *
 * <p>Status and headers go to the real response at once: nothing is sent as long as no body is
 * written and nobody flushes. So whoever looks at them, on whichever side, sees the same.
 */
final class HeldResponse extends HttpServletResponseWrapper {

  private final Body body;

  /** Headers that were set by whom we wrap, in lower case: not those of filters before us. */
  private final Set<String> own = ConcurrentHashMap.newKeySet();

  private volatile boolean holding;
  private volatile boolean ended;
  private volatile ResponsePolicy policy = ResponsePolicy.of(null);
  private volatile @Nullable ErrorPage error;
  private @Nullable ServletOutputStream stream;
  private @Nullable PrintWriter writer;

  HeldResponse(HttpServletResponse response, int spoolThreshold) {
    super(response);
    this.body = new Body(spoolThreshold);
  }

  /** An error whose page is rendered by the container. */
  private record ErrorPage(int status, @Nullable String message) {}

  /** Holds back what is written from now on. */
  void hold() {
    holding = true;
  }

  /** Holds nothing back any more; nothing was written until now. */
  void letThrough() {
    holding = false;
  }

  /** Whether it is held back, or goes out as it is written. */
  boolean isHeld() {
    return holding;
  }

  /** Returns how the handler wants it to be kept. */
  ResponsePolicy policy() {
    return policy;
  }

  @Override
  public int getStatus() {
    ErrorPage page = error;
    return page == null ? super.getStatus() : page.status();
  }

  /** Returns what to keep of it; its writer, if there is one, is flushed into the body before. */
  StoredResponse toStored(Operation operation, ResponseLimits limits) {
    flushWriter();
    List<StoredResponse.Field> headers = new ArrayList<>();
    for (String name : limits.headers()) {
      keep(name, headers);
    }
    ErrorPage page = error;
    if (page != null) {
      return new StoredResponse(
          StoredResponse.Kind.ERROR, page.status(), page.message(), headers, new byte[0]);
    }
    boolean replayable =
        (operation.replay() == Replay.BYTES || operation.replay() == Replay.STATUS_ONLY)
            && holding
            && !policy.noStore()
            && (operation.replay() == Replay.STATUS_ONLY || body.size() <= limits.maxBody());
    if (!replayable) {
      return new StoredResponse(
          StoredResponse.Kind.NO_BODY, getStatus(), null, headers, new byte[0]);
    }
    if (operation.replay() == Replay.STATUS_ONLY) {
      return new StoredResponse(StoredResponse.Kind.WHOLE, getStatus(), null, headers, new byte[0]);
    }
    // Only who sets it on this side of us has encoded the bytes that we have.
    keep("Content-Encoding", headers);
    return new StoredResponse(StoredResponse.Kind.WHOLE, getStatus(), null, headers, body.bytes());
  }

  private void keep(String name, List<StoredResponse.Field> headers) {
    if (!own.contains(name.toLowerCase(Locale.ROOT))) {
      return;
    }
    if (name.equalsIgnoreCase("Content-Type")) {
      String type = getContentType();
      if (type != null) {
        headers.add(new StoredResponse.Field("Content-Type", type));
      }
      return;
    }
    for (String value : getHeaders(name)) {
      headers.add(new StoredResponse.Field(name, value));
    }
  }

  /** Sends what was held back. */
  void send() throws IOException {
    if (!holding) {
      return;
    }
    flushWriter();
    holding = false;
    ErrorPage page = error;
    if (page != null) {
      if (page.message() == null) {
        super.sendError(page.status());
      } else {
        super.sendError(page.status(), page.message());
      }
      return;
    }
    if (body.size() > 0) {
      super.setContentLengthLong(body.size());
      body.writeTo(super.getOutputStream());
    }
  }

  void discard() {
    body.close();
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    if (!holding) {
      return super.getOutputStream();
    }
    if (stream == null) {
      stream = new BodyOutput(body);
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (!holding) {
      return super.getWriter();
    }
    if (writer == null) {
      String charset = getCharacterEncoding();
      // As the container's own writer does it: the charset is named from now on.
      super.setCharacterEncoding(charset);
      own.add("content-type");
      writer = new PrintWriter(new OutputStreamWriter(body, Charset.forName(charset)));
    }
    return writer;
  }

  private void flushWriter() {
    if (writer != null) {
      writer.flush();
    }
  }

  @Override
  public void flushBuffer() throws IOException {
    if (!holding) {
      super.flushBuffer();
    }
  }

  @Override
  public boolean isCommitted() {
    return holding ? ended : super.isCommitted();
  }

  @Override
  public void reset() {
    if (holding) {
      notEnded();
      own.clear();
      clear();
    }
    super.reset();
  }

  @Override
  public void resetBuffer() {
    if (holding) {
      notEnded();
      clear();
    }
    super.resetBuffer();
  }

  private void notEnded() {
    if (ended) {
      throw new IllegalStateException("the response has ended with an error or a redirect");
    }
  }

  private void clear() {
    flushWriter();
    body.clear();
    stream = null;
    writer = null;
  }

  @Override
  public void sendError(int status) throws IOException {
    if (holding) {
      errorPage(status, null);
    } else {
      super.sendError(status);
    }
  }

  @Override
  public void sendError(int status, @Nullable String message) throws IOException {
    if (holding) {
      errorPage(status, message);
    } else {
      super.sendError(status, message);
    }
  }

  private void errorPage(int status, @Nullable String message) {
    notEnded();
    clear();
    error = new ErrorPage(status, message);
    ended = true;
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    sendRedirect(location, SC_FOUND, true);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
    if (!holding) {
      super.sendRedirect(location, status, clearBuffer);
      return;
    }
    notEnded();
    if (clearBuffer) {
      clear();
    }
    setStatus(status);
    setHeader("Location", location);
    ended = true;
  }

  /** The length is what is sent in the end. */
  @Override
  public void setContentLength(int length) {
    if (!holding) {
      super.setContentLength(length);
    }
  }

  @Override
  public void setContentLengthLong(long length) {
    if (!holding) {
      super.setContentLengthLong(length);
    }
  }

  @Override
  public void setContentType(@Nullable String type) {
    own.add("content-type");
    super.setContentType(type);
  }

  @Override
  public void setLocale(Locale locale) {
    own.add("content-language");
    super.setLocale(locale);
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    if (!taken(name, value)) {
      super.setHeader(name, value);
    }
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    if (!taken(name, value)) {
      super.addHeader(name, value);
    }
  }

  @Override
  public void setIntHeader(String name, int value) {
    setHeader(name, Integer.toString(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    addHeader(name, Integer.toString(value));
  }

  @Override
  public void setDateHeader(String name, long date) {
    own.add(name.toLowerCase(Locale.ROOT));
    super.setDateHeader(name, date);
  }

  @Override
  public void addDateHeader(String name, long date) {
    own.add(name.toLowerCase(Locale.ROOT));
    super.addDateHeader(name, date);
  }

  /** Returns whether the header is not to be sent. */
  private boolean taken(String name, @Nullable String value) {
    if (name.equalsIgnoreCase(ResponsePolicy.HEADER)) {
      policy = ResponsePolicy.of(value);
      return true;
    }
    own.add(name.toLowerCase(Locale.ROOT));
    return holding && name.equalsIgnoreCase("Content-Length");
  }
}
