// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB process. */
final class MariaDbRecipe implements Recipe {

  static final String USER = "dedup";

  private static final String TABLES = "tables";
  private static final String OPTIONS = "my.cnf";

  private final Path base = MariaDbBinaries.folder();
  private final String password;
  private final List<String> options;

  MariaDbRecipe(String password, List<String> options) {
    this.password = password;
    this.options = List.copyOf(options);
  }

  @Override
  public String kind() {
    return "mariadb";
  }

  @Override
  public Path executable() {
    return base.resolve("bin").resolve("mariadbd");
  }

  @Override
  public void prepare(Path data, int port) throws IOException {
    Path tables = data.resolve(TABLES);
    Files.writeString(data.resolve(OPTIONS), String.join("\n", configuration(data, port)) + "\n");
    Files.writeString(
        data.resolve("users.sql"),
        "CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';\nGRANT ALL ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;\n"
            .formatted(USER, password));
    List<String> install = new ArrayList<>();
    install.add(base.resolve("scripts").resolve("mariadb-install-db").toString());
    install.add("--no-defaults");
    install.add("--basedir=" + base);
    install.add("--datadir=" + tables);
    install.add("--skip-name-resolve");
    install.add("--skip-test-db");
    install.add("--force");
    install.addAll(asRoot());
    Processes.run(install, data, data.resolve("install.log"));
  }

  private List<String> configuration(Path data, int port) {
    List<String> lines = new ArrayList<>();
    lines.add("[mariadbd]");
    lines.add("basedir=" + base);
    lines.add("datadir=" + data.resolve(TABLES));
    lines.add("tmpdir=" + data);
    lines.add("socket=m.sock"); // below datadir: an absolute name may be longer than allowed
    lines.add("pid-file=" + data.resolve("pid"));
    lines.add("init-file=" + data.resolve("users.sql"));
    lines.add("bind-address=" + Ports.LOOPBACK);
    lines.add("port=" + port);
    lines.add("skip-name-resolve");
    lines.add("skip-ssl"); // it would make itself a key at each start, for seconds
    lines.add("max-connections=200");
    lines.add("character-set-server=utf8mb4");
    lines.add("default-time-zone=+00:00");
    lines.add("innodb-buffer-pool-size=64M");
    lines.add("innodb-temp-data-file-path=ibtmp1:1M:autoextend");
    lines.add("performance-schema=OFF");
    // What was committed survives SIGKILL; only a failure of the whole machine would need fsync.
    lines.add("innodb-flush-log-at-trx-commit=2");
    lines.add("innodb-doublewrite=OFF");
    lines.addAll(options);
    return lines;
  }

  @Override
  public List<String> command(Path data) {
    List<String> command = new ArrayList<>();
    command.add(executable().toString());
    command.add("--defaults-file=" + data.resolve(OPTIONS));
    command.addAll(asRoot());
    return command;
  }

  private static List<String> asRoot() {
    return Unprivileged.isRoot() ? List.of("--user=root") : List.of();
  }

  @Override
  public boolean ready(Launched launched) throws IOException {
    return Processes.read(launched.log()).contains("ready for connections");
  }
}
