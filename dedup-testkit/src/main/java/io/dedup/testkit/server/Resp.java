// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection that speaks RESP2, the protocol of Redis, as far as starting servers needs it:
 * commands of words, answers of texts and flat lists.
 */
final class Resp implements AutoCloseable {

  private static final Duration TIME_OUT = Duration.ofSeconds(2);

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  Resp(String host, int port) throws IOException {
    try {
      socket.connect(new InetSocketAddress(host, port), (int) TIME_OUT.toMillis());
      socket.setSoTimeout((int) TIME_OUT.toMillis());
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Opens a connection, asks once and closes it. */
  static String ask(String host, int port, String... command) throws IOException {
    try (Resp resp = new Resp(host, port)) {
      return resp.call(command);
    }
  }

  /** The answer as text; the elements of a list are lines, nothing is the empty text. */
  String call(String... command) throws IOException {
    send(command);
    return answer();
  }

  /** Asks without waiting for the answer. */
  void send(String... command) throws IOException {
    StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
    for (String word : command) {
      int bytes = word.getBytes(StandardCharsets.UTF_8).length;
      request.append("$").append(bytes).append("\r\n").append(word).append("\r\n");
    }
    out.write(request.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** The next answer, see {@link #call}. */
  String answer() throws IOException {
    String head = line();
    return switch (head.isEmpty() ? ' ' : head.charAt(0)) {
      case '+', ':' -> head.substring(1);
      case '-' -> throw new IOException(head);
      case '$' -> bulk(Integer.parseInt(head.substring(1)));
      case '*' -> list(Integer.parseInt(head.substring(1)));
      default -> throw new IOException("not an answer of Redis: " + head);
    };
  }

  /** How long each answer is waited for. */
  void timeOut(Duration patience) throws IOException {
    socket.setSoTimeout((int) patience.toMillis());
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "";
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    line();
    return text;
  }

  private String list(int length) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(answer());
    }
    return String.join("\n", elements);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("Redis closed the connection");
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
