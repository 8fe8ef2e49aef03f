// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

/** A server whose process is not ours: one that already ran, or one inside a container. */
record BorrowedNode(String host, int port, Runnable release) implements Node {

  @Override
  public void stop() {
    throw notOurs("stopped");
  }

  @Override
  public void kill() {
    throw notOurs("killed");
  }

  @Override
  public void restart() {
    throw notOurs("restarted");
  }

  @Override
  public void close() {
    release.run();
  }

  private UnsupportedOperationException notOurs(String done) {
    return new UnsupportedOperationException(
        "the server at " + host + ":" + port + " has no process of ours that could be " + done);
  }
}
