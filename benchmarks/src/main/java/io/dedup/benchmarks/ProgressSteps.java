// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar. */
final class ProgressSteps implements Steps, AutoCloseable {

  private static final int REFRESH_MS = 500;

  private final ProgressBar bar =
      new ProgressBarBuilder()
          .setTaskName("measuring")
          .setInitialMax(0)
          .setStyle(ProgressBarStyle.ASCII)
          .setUpdateIntervalMillis(REFRESH_MS)
          .build();

  @Override
  public void ahead(int steps) {
    bar.maxHint(bar.getMax() + steps);
  }

  @Override
  public void now(String what) {
    bar.setExtraMessage(what);
  }

  @Override
  public void done() {
    bar.step();
  }

  @Override
  public void close() {
    bar.close();
  }
}
