// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The command line of the example. */
@Command(
    name = "examples/payments/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Runs a Spring Boot application on a real Kafka, Redis and PostgreSQL, asks it for payments"
            + " by Kafka and by HTTP, much of it more than once, and compares the books.",
    footer = {"", "Exit status: 0 if the books balance, else 1; 2 for bad options."})
final class Main implements Callable<Integer> {

  private static final int REFRESH_MS = 200;

  @Option(
      names = "--payments",
      paramLabel = "N",
      defaultValue = "400",
      description = "different payments by Kafka; default: ${DEFAULT-VALUE}")
  private int payments;

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      defaultValue = "0.3",
      description = "share of the records that repeat another one; default: ${DEFAULT-VALUE}")
  private double duplicates;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of chance; default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(names = "--restart", description = "restart the application in the middle")
  private boolean restart;

  @Option(
      names = "--serve",
      paramLabel = "PORT",
      description = "only run the application, with some accounts, until it is interrupted")
  private @Nullable Integer port;

  @Option(names = "--report", paramLabel = "FILE", description = "write the figures as JSON")
  private @Nullable Path report;

  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /** Runs the example. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the example. Returns the exit status. */
  static int run(String... arguments) {
    return new CommandLine(new Main()).execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    check();
    Plan plan = Plan.of(payments, duplicates, seed);
    System.err.println("starting the servers ...");
    try (Stage stage = Stage.start()) {
      if (port != null) {
        serve(stage, plan, port);
        return 0;
      }
      Show.Result result = run(stage, plan);
      if (report != null) {
        Files.writeString(
            report,
            JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(result.report())
                + System.lineSeparator());
      }
      System.out.print(result.books().table());
      System.out.println();
      System.out.print(result.report().table());
      result.unexpected().forEach(answer -> System.out.println("unexpected: " + answer));
      boolean good = result.report().good();
      System.out.println(good ? "the books balance" : "NOT GOOD: THE BOOKS DO NOT BALANCE");
      return good ? 0 : 1;
    }
  }

  private Show.Result run(Stage stage, Plan plan) {
    try (ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName("payments")
            .setInitialMax(plan.stream().size())
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(REFRESH_MS)
            .showSpeed()
            .build()) {
      return new Show(stage, plan, restart)
          .run(
              done -> {
                // What comes by HTTP, and the replay, are not known beforehand.
                bar.maxHint(Math.max(bar.getMax(), done));
                bar.stepTo(done);
              });
    }
  }

  private static void serve(Stage stage, Plan plan, int port) throws InterruptedException {
    Application.Outside outside =
        new Application.Outside(new UnreliableRiskCheck(plan.unlucky()), new CountingCardCompany());
    try (Application application = new Application(stage, port, outside)) {
      Plan.accounts().forEach(account -> application.ledger().open(account, Plan.OPENING_BALANCE));
      plan.orders()
          .forEach(one -> application.orders().place(one.source(), one.from(), one.amount()));
      System.out.println("listening on http://127.0.0.1:" + application.port());
      Thread.currentThread().join();
    }
  }

  private void check() {
    if (payments < 1) {
      throw bad("--payments: was " + payments + ", must be at least 1");
    }
    if (!(duplicates >= 0 && duplicates < 1)) {
      throw bad("--duplicates: was " + duplicates + ", must be from 0 to below 1");
    }
    if (port != null && (port < 0 || port > 65_535)) {
      throw bad("--serve: was " + port + ", must be a port, or 0 for any");
    }
    if (port != null && (restart || report != null)) {
      throw bad("--serve: was given with --restart or --report, must be given without");
    }
  }

  private ParameterException bad(String message) {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
