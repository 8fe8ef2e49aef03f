// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that counts its runs and remembers what it was told of each. Thread-safe. */
final class Runs implements Handler<String> {

  /** What a handler saw. */
  record Run(long token, int attempt, boolean takenOver) {}

  private final Handler<String> handler;
  private final List<Run> runs = new CopyOnWriteArrayList<>();

  private Runs(Handler<String> handler) {
    this.handler = handler;
  }

  static Runs answering(String answer) {
    return new Runs(context -> answer);
  }

  static Runs doing(Handler<String> handler) {
    return new Runs(handler);
  }

  static Runs failing() {
    return new Runs(
        context -> {
          throw new IllegalStateException("no such account");
        });
  }

  @Override
  public String handle(DedupContext context) throws Exception {
    runs.add(new Run(context.fencingToken(), context.attempt(), context.takenOver()));
    return handler.handle(context);
  }

  int count() {
    return runs.size();
  }

  Run last() {
    return runs.get(runs.size() - 1);
  }
}
