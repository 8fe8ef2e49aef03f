// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Publishes the deliveries, lets the members work until all is done, and counts.
 *
 * @param stage the servers
 * @param deliveries what to publish
 * @param killEvery after how many deliveries a member is killed, 0 for never
 */
record Job(Stage stage, Deliveries deliveries, int killEvery) {

  private static final Duration STALL = Duration.ofMinutes(2);
  private static final int REFRESH_MS = 200;

  Report run(Members members) throws IOException, SQLException, InterruptedException {
    Run run = stage.run();
    long started = System.nanoTime();
    long rejected;
    try (ProgressBar bar = bar(deliveries.count());
        GroupProgress progress = new GroupProgress(run)) {
      rejected = publish(run, members, bar, progress);
      awaitAllDone(members, bar, progress);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    int killed = members.killed();
    try (Connection connection = stage.connect()) {
      return new Count(run).report(connection, rejected, killed, seconds);
    }
  }

  private long publish(Run run, Members members, ProgressBar bar, GroupProgress progress)
      throws IOException {
    try (Publisher publisher = new Publisher(run)) {
      long[] published = {0};
      long rejected =
          deliveries.forEach(
              delivery -> {
                publisher.publish(delivery);
                if (killEvery > 0 && ++published[0] % killEvery == 0) {
                  // What was published so far is on its way through the members, somewhere.
                  publisher.flush();
                  members.killOne();
                  bar.stepTo(progress.done());
                }
              });
      publisher.flush();
      return rejected;
    }
  }

  private static void awaitAllDone(Members members, ProgressBar bar, GroupProgress progress)
      throws InterruptedException {
    long published = progress.published();
    bar.maxHint(published);
    long last = -1;
    long since = System.nanoTime();
    for (long done = progress.done(); done < published; done = progress.done()) {
      bar.stepTo(done);
      members.check();
      if (done != last) {
        last = done;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STALL.toNanos()) {
        throw new IllegalStateException(
            "no progress for " + STALL + ": " + done + " of " + published + " are done");
      }
      TimeUnit.MILLISECONDS.sleep(REFRESH_MS);
    }
    bar.stepTo(published);
  }

  private static ProgressBar bar(long count) {
    return new ProgressBarBuilder()
        .setTaskName("deliveries")
        .setInitialMax(count)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(REFRESH_MS)
        .showSpeed()
        .build();
  }
}
