// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The command line of the main job. */
@Command(
    name = "examples/deliveries/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Publishes webhook deliveries, with duplicates, to a real Kafka, acts upon each once, and"
            + " counts. Kafka, Redis and PostgreSQL are started unless they are given.",
    footer = {
      "",
      "Exit status: 0 if nothing was lost and nothing doubled, else 1; 2 for bad options."
    })
final class Main implements Callable<Integer> {

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "deliveries, a JSON line each; default: a sample of 60")
  private @Nullable Path input;

  @Option(names = "--generate", paramLabel = "N", description = "make so many deliveries instead")
  private @Nullable Long generate;

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      description = "share of the made ones that repeat an earlier one; default: 0.3")
  private @Nullable Double duplicates;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of chance; default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "lease-redis",
      description = "lease-redis, lease-jdbc, transactional or tiered; default: ${DEFAULT-VALUE}")
  private String mode = "";

  @Option(
      names = "--listener",
      paramLabel = "LISTENER",
      defaultValue = "plain",
      description =
          "plain (kafka-clients), spring-record or spring-batch; default: ${DEFAULT-VALUE}")
  private String listener = "";

  @Option(
      names = "--consumers",
      paramLabel = "N",
      defaultValue = "3",
      description = "members of the group; default: ${DEFAULT-VALUE}")
  private int consumers;

  @Option(
      names = "--kill-every",
      paramLabel = "N",
      defaultValue = "0",
      description = "after each N deliveries end a member, a process of its own then, by SIGKILL")
  private int killEvery;

  @Option(
      names = "--kafka",
      paramLabel = "SERVERS",
      description = "brokers that run already, as host:port,...")
  private @Nullable String kafka;

  @Option(
      names = "--redis",
      paramLabel = "URL",
      description = "a Redis that runs already, as redis://host:port")
  private @Nullable String redis;

  @Option(
      names = "--jdbc",
      paramLabel = "URL",
      description =
          "a PostgreSQL that runs already, as jdbc:postgresql://host:port/db?user=u&password=p")
  private @Nullable String jdbc;

  @Option(names = "--report", paramLabel = "FILE", description = "write the figures as JSON")
  private @Nullable Path report;

  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /** Runs the job. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the job. Returns the exit status. */
  static int run(String... arguments) {
    return new CommandLine(new Main()).execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    check();
    Mode chosen = named(Mode::of, mode);
    Listener reading = named(Listener::of, listener);
    Deliveries deliveries = deliveries();
    System.err.println("starting the servers ...");
    try (Stage stage = Stage.set(chosen, reading, kafka, redis, jdbc);
        Members members = members(stage.run())) {
      Report result = new Job(stage, deliveries, killEvery).run(members);
      System.out.print(result.table());
      if (report != null) {
        Files.writeString(
            report,
            JsonMapper.shared()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(result.figures())
                + System.lineSeparator());
      }
      System.out.println(
          result.isGood()
              ? "nothing lost, nothing doubled"
              : "NOT GOOD: " + result.lost() + " lost, " + result.doubled() + " doubled");
      return result.isGood() ? 0 : 1;
    }
  }

  private Members members(Run run) {
    return killEvery > 0
        ? new ProcessMembers(run, consumers, seed)
        : new ThreadMembers(run, consumers);
  }

  private Deliveries deliveries() {
    if (generate != null) {
      return new GeneratedDeliveries(generate, duplicates == null ? 0.3 : duplicates, seed);
    }
    Path file = input;
    return new DeliveryLines(
        file == null
            ? DeliveryLines::sample
            : () -> Files.newBufferedReader(file, DeliveryLines.BYTES));
  }

  private void check() {
    if (input != null && generate != null) {
      throw bad("--input and --generate: were both given, must be one");
    }
    if (input != null && !Files.isReadable(input)) {
      throw bad("--input: was " + input + ", must be a file that can be read");
    }
    if (generate != null && generate < 1) {
      throw bad("--generate: was " + generate + ", must be at least 1");
    }
    if (duplicates != null && generate == null) {
      throw bad("--duplicates: was given without --generate, must be given with it");
    }
    if (duplicates != null && !(duplicates >= 0 && duplicates < 1)) {
      throw bad("--duplicates: was " + duplicates + ", must be from 0 to below 1");
    }
    if (consumers < 1) {
      throw bad("--consumers: was " + consumers + ", must be at least 1");
    }
    if (killEvery < 0) {
      throw bad("--kill-every: was " + killEvery + ", must not be negative");
    }
  }

  private <T> T named(Function<String, T> reading, String label) {
    try {
      return reading.apply(label);
    } catch (IllegalArgumentException e) {
      throw bad("--" + e.getMessage());
    }
  }

  private ParameterException bad(String message) {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
