// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are written once and read as often as wanted: small ones in memory, large ones in a
 * temporary file. Confined to one request.
 */
final class Body extends OutputStream {

  private final int spoolThreshold;
  private ByteArrayOutputStream memory = new ByteArrayOutputStream();
  private @Nullable Path file;
  private @Nullable OutputStream toFile;
  private long size;

  Body(int spoolThreshold) {
    this.spoolThreshold = spoolThreshold;
  }

  /**
   * Takes all of {@code in}, or a byte more than {@code max}.
   *
   * @return whether it has at most {@code max} bytes
   */
  boolean readFrom(InputStream in, long max) throws IOException {
    byte[] chunk = new byte[8192];
    while (size <= max) {
      int read = in.read(chunk, 0, (int) Math.min(chunk.length, max + 1 - size));
      if (read < 0) {
        return true;
      }
      write(chunk, 0, read);
    }
    return false;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (toFile == null && size + length > spoolThreshold) {
      spool();
    }
    (toFile == null ? memory : toFile).write(bytes, offset, length);
    size += length;
  }

  private void spool() throws IOException {
    Path path = Files.createTempFile("dedup-http", ".body");
    file = path;
    toFile = Files.newOutputStream(path);
    memory.writeTo(toFile);
    memory = new ByteArrayOutputStream();
  }

  long size() {
    return size;
  }

  boolean isInFile() {
    return file != null;
  }

  InputStream open() {
    try {
      if (toFile != null && file != null) {
        toFile.flush();
        return Files.newInputStream(file);
      }
      return new ByteArrayInputStream(memory.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] bytes() {
    if (file == null) {
      return memory.toByteArray();
    }
    try (InputStream in = open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void writeTo(OutputStream out) throws IOException {
    if (file == null) {
      memory.writeTo(out);
    } else {
      try (InputStream in = open()) {
        in.transferTo(out);
      }
    }
  }

  /** Forgets what was written. */
  void clear() {
    memory = new ByteArrayOutputStream();
    size = 0;
    discardFile();
  }

  private void discardFile() {
    try {
      Closeable open = toFile;
      Path path = file;
      toFile = null;
      file = null;
      if (open != null) {
        open.close();
      }
      if (path != null) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    clear();
  }
}
