// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A member in a process of its own that dies at an arrow. */
final class MortalMember {

  private MortalMember() {}

  /** Runs until it dies. Arguments: the run's, the arrow, and how many times it is survived. */
  public static void main(String[] arguments) {
    List<String> list = List.of(arguments);
    int last = list.size() - 1;
    Mortal mortal = new Mortal(Arrow.valueOf(list.get(last - 1)), Integer.parseInt(list.get(last)));
    try (MemberParts parts = new MemberParts(Run.of(list), mortal)) {
      parts.consumer().run();
    }
  }

  /** Starts one, and waits until it is dead. Returns its exit status. */
  static int live(Run run, Arrow arrow, int survived) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MortalMember.class.getName()));
    command.addAll(run.toArguments());
    command.add(arrow.name());
    command.add(Integer.toString(survived));
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the member did not come to " + arrow);
      }
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
