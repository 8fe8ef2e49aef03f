// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;

/** Starts a Redis, says which, and ends when it is told to: what a JVM with tests does. */
final class LeftBehind {

  private LeftBehind() {}

  @SuppressWarnings("SystemOut") // the words for the test that started this JVM
  public static void main(String[] args) throws IOException {
    RedisServer redis = RedisServer.start();
    String info = Resp.ask(redis.host(), redis.port(), "INFO", "server");
    String pid =
        info.lines().filter(line -> line.startsWith("process_id:")).findFirst().orElseThrow();
    System.out.println(pid.strip().substring("process_id:".length()));
    int told = System.in.read();
    System.exit(told < 0 ? 1 : 0);
  }
}
