// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the measurements. */
@Command(
    name = "benchmarks/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measures the framework beside its peers and the limits of the stores, on a Kafka, a Redis"
            + " and a PostgreSQL that it starts.",
    footer = {
      "",
      "Exit status: 0 if each contender did each effect as often as it should have, else 1; 2 for"
          + " bad options."
    })
final class Main implements Callable<Integer> {

  @Option(names = "--quick", description = "smaller topics and fewer rounds: minutes")
  private boolean quick;

  @Option(names = "--report", paramLabel = "FILE", description = "write the figures as JSON")
  private @Nullable Path report;

  @Option(
      names = "--contender",
      paramLabel = "NAME",
      split = ",",
      description = "measure these alone, and whom they are compared with")
  private Set<String> contenders = new LinkedHashSet<>();

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      split = ",",
      description = "measure at these alone")
  private Set<String> workloads = new LinkedHashSet<>();

  @Option(names = "--rounds", paramLabel = "N", description = "how often each is measured")
  private @Nullable Integer rounds;

  @Option(
      names = "--render",
      paramLabel = "FILE",
      description = "measure nothing; put the figures of a report into the manual")
  private @Nullable Path render;

  @Option(
      names = "--docs",
      paramLabel = "FOLDER",
      defaultValue = "${sys:benchmarks.docs:-docs}",
      description = "of the manual; default: ${DEFAULT-VALUE}")
  private Path docs = Path.of("docs");

  @Option(names = "--list", description = "name all contenders and workloads")
  private boolean list;

  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /** Runs the measurements. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the measurements. Returns the exit status. */
  static int run(String... arguments) {
    return new CommandLine(new Main()).execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      System.out.println("contenders: " + String.join(", ", Contenders.all().names()));
      System.out.println("workloads: " + String.join(", ", Workloads.of(Contenders.all()).names()));
      return 0;
    }
    if (render != null) {
      return rendered(render);
    }
    Runner runner = checked();
    Report result;
    try (ProgressSteps steps = new ProgressSteps()) {
      result = runner.run(steps);
    }
    System.out.print(new ResultTable(result));
    System.out.print(new GoalTable(result));
    if (report != null) {
      result.write(report);
    }
    System.out.println(
        result.isExact()
            ? "each effect as often as it should be, in " + result.seconds() + " s"
            : "NOT GOOD: see NOT EXACT above");
    return result.isExact() ? 0 : 1;
  }

  private int rendered(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw bad("--render: was " + file + ", must be a file that can be read");
    }
    Path page = docs.resolve("benchmarks.md");
    if (!Files.isReadable(page)) {
      throw bad("--docs: was " + docs + ", must be a folder with benchmarks.md");
    }
    Report read = Report.read(file);
    new Page(read).write(page);
    new Chart(read, Chart.WORKLOAD).write(docs.resolve("benchmarks.svg"));
    return 0;
  }

  private Runner checked() {
    Scale scale = quick ? Scale.QUICK : Scale.FULL;
    int times = rounds == null ? scale.rounds() : rounds;
    if (times < 1) {
      throw bad("--rounds: was " + times + ", must be at least 1");
    }
    checkReport();
    Contenders all = Contenders.all();
    Workloads known = Workloads.of(all);
    try {
      contenders.forEach(all::named);
      workloads.forEach(known::named);
    } catch (IllegalArgumentException e) {
      throw bad("--" + e.getMessage());
    }
    List<String> chosen = workloads.isEmpty() ? known.names() : List.copyOf(workloads);
    return new Runner(scale, times, chosen, contenders);
  }

  /** Before anything is measured, and not after it. */
  private void checkReport() {
    if (report == null) {
      return;
    }
    Path folder = report.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw bad("--report: was " + report + ", must be in a folder that exists");
    }
  }

  private ParameterException bad(String message) {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
