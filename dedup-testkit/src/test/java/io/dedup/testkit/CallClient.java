// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** One connection to a {@link CallServer}. */
final class CallClient {

  private static final int TIME_OUT_MILLIS = 300;

  private final Socket socket;

  CallClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIME_OUT_MILLIS);
    socket.setTcpNoDelay(true);
  }

  /** Sends the number of a call and waits until it is answered. */
  void send(long number) throws IOException {
    new DataOutputStream(socket.getOutputStream()).writeLong(number);
    new DataInputStream(socket.getInputStream()).readByte();
  }

  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is given up either way.
    }
  }
}
