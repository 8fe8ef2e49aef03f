// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;

/** Several servers that are one to their clients; {@code settled} waits until they are. */
record GroupNode(List<? extends Node> members, Runnable settled) implements Node {

  GroupNode {
    members = List.copyOf(members);
  }

  @Override
  public String host() {
    return members.get(0).host();
  }

  @Override
  public int port() {
    return members.get(0).port();
  }

  @Override
  public void stop() {
    members.forEach(Node::stop);
  }

  @Override
  public void kill() {
    members.forEach(Node::kill);
  }

  @Override
  public void restart() {
    members.forEach(Node::restart);
    settled.run();
  }

  @Override
  public void close() {
    members.forEach(Node::close);
  }
}
