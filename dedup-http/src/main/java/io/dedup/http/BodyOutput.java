// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** Writes a response into a body, and never has to wait. */
final class BodyOutput extends ServletOutputStream {

  private final Body body;

  BodyOutput(Body body) {
    this.body = body;
  }

  @Override
  public void write(int b) throws IOException {
    body.write(b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    body.write(bytes, offset, length);
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    try {
      listener.onWritePossible();
    } catch (IOException e) {
      listener.onError(e);
    }
  }
}
