// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads a request from a body, all of which is there. */
final class BodyInput extends ServletInputStream {
  private final InputStream in;
  private boolean finished;

  BodyInput(InputStream in) {
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
