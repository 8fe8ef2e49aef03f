// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Members as processes, which are ended by SIGKILL. Only processes started here are. */
final class ProcessMembers implements Members {

  private static final int KILL_WITHIN_MS = 400;

  private final Run run;
  private final Random random;
  private final List<Process> members = new ArrayList<>();
  private int killed;

  ProcessMembers(Run run, int count, long seed) {
    this.run = run;
    this.random = new Random(seed);
    for (int i = 0; i < count; i++) {
      members.add(launch());
    }
  }

  @Override
  public void killOne() {
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(KILL_WITHIN_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    Process victim = members.remove(random.nextInt(members.size()));
    victim.destroyForcibly();
    killed++;
    members.add(launch());
  }

  @Override
  public int killed() {
    return killed;
  }

  @Override
  public void check() {
    for (Process member : members) {
      if (!member.isAlive()) {
        throw new IllegalStateException(
            "a member ended by itself, with status " + member.exitValue());
      }
    }
  }

  private Process launch() {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    String logLevel = System.getProperty("org.slf4j.simpleLogger.defaultLogLevel");
    if (logLevel != null) {
      command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=" + logLevel);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MemberProcess.class.getName());
    command.addAll(run.toArguments());
    try {
      return new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.INHERIT)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("a member cannot be started", e);
    }
  }

  /** Their standard input ends, and so do they. */
  @Override
  public void close() {
    for (Process member : members) {
      try {
        member.getOutputStream().close();
        if (!member.waitFor(20, TimeUnit.SECONDS)) {
          member.destroyForcibly();
        }
      } catch (IOException e) {
        member.destroyForcibly();
      } catch (InterruptedException e) {
        member.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
