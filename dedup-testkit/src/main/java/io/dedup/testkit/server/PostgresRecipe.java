// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL process. */
final class PostgresRecipe implements Recipe {

  static final String USER = "postgres";

  private static final String CLUSTER = "pg";
  private static final String PASSWORD_FILE = "password";

  private final Path bin = PostgresBinaries.folder().resolve("bin");
  private final String password;
  private final List<String> settings;

  PostgresRecipe(String password, List<String> settings) {
    this.password = password;
    this.settings = List.copyOf(settings);
  }

  @Override
  public String kind() {
    return "postgres";
  }

  @Override
  public Path executable() {
    return bin.resolve("postgres");
  }

  @Override
  public void prepare(Path data, int port) throws IOException {
    // The server gets a folder of its own in there: PostgreSQL wants it empty at first, and as root
    // it may belong to another user than the logs.
    Path cluster = Folders.makePrivate(data.resolve(CLUSTER));
    Path secret = cluster.resolveSibling(PASSWORD_FILE);
    Files.writeString(secret, password);
    Unprivileged.give(secret);
    Unprivileged.give(cluster);
    Unprivileged.give(data);
    Processes.run(
        tool(
            "initdb",
            "--pgdata=" + cluster,
            "--username=" + USER,
            "--pwfile=" + secret,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
            "--set=scram_iterations=1"),
        data,
        data.resolve("initdb.log"));
    Files.delete(secret);
    Files.writeString(
        cluster.resolve("postgresql.conf"), String.join("\n", configuration(port)) + "\n");
  }

  private List<String> configuration(int port) {
    List<String> lines = new ArrayList<>();
    lines.add("listen_addresses = '" + Ports.LOOPBACK + "'");
    lines.add("port = " + port);
    lines.add("unix_socket_directories = ''");
    lines.add("max_connections = 200");
    lines.add("timezone = 'UTC'");
    lines.add("log_timezone = 'UTC'");
    // Shared memory that outlives a killed server would pile up elsewhere.
    lines.add("dynamic_shared_memory_type = mmap");
    // What was committed survives SIGKILL; only a failure of the whole machine would need these.
    lines.add("fsync = off");
    lines.add("full_page_writes = off");
    lines.addAll(settings);
    return lines;
  }

  @Override
  public List<String> command(Path data) {
    return tool("postgres", "-D", data.resolve(CLUSTER).toString());
  }

  private List<String> tool(String name, String... arguments) {
    return Unprivileged.command(
        Stream.concat(Stream.of(bin.resolve(name).toString()), Stream.of(arguments)));
  }

  // The file that pg_ctl reads for the same purpose: the process first, its status last.
  @Override
  public boolean ready(Launched launched) throws IOException {
    Path file = launched.data().resolve(CLUSTER).resolve("postmaster.pid");
    List<String> lines = Processes.read(file).lines().map(String::strip).toList();
    return lines.size() >= 8
        && lines.get(0).equals(Long.toString(launched.process().pid()))
        && lines.get(7).equals("ready");
  }

  @Override
  public void askToStop(Launched launched) {
    control(launched, "fast"); // SIGTERM would wait for the clients to leave
  }

  @Override
  public void discard(Launched launched) {
    if (launched.process().isAlive()) {
      control(launched, "immediate"); // unlike SIGKILL it gives its shared memory back
    }
  }

  private void control(Launched launched, String mode) {
    Path data = launched.data();
    try {
      Processes.run(
          tool("pg_ctl", "stop", "-D", data.resolve(CLUSTER).toString(), "-m", mode),
          data,
          data.resolve("stop.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
