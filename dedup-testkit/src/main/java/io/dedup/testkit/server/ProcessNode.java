// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that runs as a process of ours. Thread-safe. */
final class ProcessNode implements Node {

  private static final Logger log = LoggerFactory.getLogger(ProcessNode.class);
  private static final Duration START_TIME_OUT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 10;
  private static final String PORT_TAKEN = "Address already in use";

  private final Recipe recipe;
  private final int port;
  private final Path data;
  private Recipe.@Nullable Launched launched;
  private @Nullable Path record;
  private int launches;

  private ProcessNode(Recipe recipe, int port, Path data) {
    this.recipe = recipe;
    this.port = port;
    this.data = data;
  }

  /**
   * Starts a server with new data and waits until it answers.
   *
   * @throws PortTakenException if another process has the port
   */
  static ProcessNode start(Recipe recipe, int port) {
    ProcessNode node = prepare(recipe, port);
    node.restart();
    return node;
  }

  private static ProcessNode prepare(Recipe recipe, int port) {
    try {
      Path data = Workspace.current().newData(recipe.kind());
      ProcessNode node = new ProcessNode(recipe, port, data);
      try {
        recipe.prepare(data, port);
      } catch (IOException | RuntimeException e) {
        node.close();
        throw e;
      }
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String host() {
    return Ports.LOOPBACK;
  }

  @Override
  public int port() {
    return port;
  }

  synchronized long pid() {
    if (launched == null) {
      throw new IllegalStateException(recipe.kind() + " does not run");
    }
    return launched.process().pid();
  }

  @Override
  public synchronized void restart() {
    stop();
    try {
      launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void launch() throws IOException {
    Path output = data.resolve("server-" + ++launches + ".log");
    ProcessBuilder builder = Processes.builder(recipe.command(data), data, output);
    builder.environment().putAll(recipe.environment());
    long from = System.nanoTime();
    Process process = builder.start();
    Recipe.Launched server = new Recipe.Launched(process, port, data, output);
    launched = server;
    boolean ready = false;
    try {
      record =
          Workspace.current()
              .write(ProcessRecord.of(recipe.kind(), process.toHandle(), recipe.executable()));
      awaitReady(server, from);
      ready = true;
    } finally {
      if (!ready) {
        kill();
        if (launches == 1) {
          Folders.delete(data);
        }
      }
    }
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
    log.debug("{} answers on port {} after {} ms", recipe.kind(), port, tookMillis);
  }

  private void awaitReady(Recipe.Launched server, long fromNanos) throws IOException {
    do {
      if (!server.process().isAlive()) {
        throw ended(server);
      }
      if (recipe.ready(server)) {
        return;
      }
      pause(server.process());
    } while (System.nanoTime() - fromNanos < START_TIME_OUT.toNanos());
    throw new IllegalStateException(
        recipe.kind()
            + " did not answer within "
            + START_TIME_OUT
            + ": "
            + Processes.tail(server.log()));
  }

  private IllegalStateException ended(Recipe.Launched server) throws IOException {
    String output = Processes.tail(server.log());
    String message = recipe.kind() + " ended while it started on port " + port + ": " + output;
    return output.contains(PORT_TAKEN)
        ? new PortTakenException(message)
        : new IllegalStateException(message);
  }

  private void pause(Process process) {
    try {
      process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + recipe.kind() + " started", e);
    }
  }

  @Override
  public synchronized void stop() {
    end(
        server -> {
          recipe.askToStop(server);
          Processes.awaitEnd(server.process().toHandle());
        });
  }

  @Override
  public synchronized void kill() {
    end(server -> Processes.kill(server.process().toHandle()));
  }

  @Override
  public synchronized void close() {
    end(
        server -> {
          recipe.discard(server);
          Processes.awaitEnd(server.process().toHandle());
        });
    try {
      Folders.delete(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end(Consumer<Recipe.Launched> way) {
    if (launched == null) {
      return;
    }
    way.accept(launched);
    launched = null;
    try {
      if (record != null) {
        Files.deleteIfExists(record);
        record = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
