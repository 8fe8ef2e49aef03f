// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A bar for each contender: its share of the plain loop. */
record Chart(Report report, String workload) {

  static final String WORKLOAD = "duplicates-20";

  private static final int ROW = 24;
  private static final int LABELS = 250;
  private static final int WIDTH = 860;
  private static final int BAR_MAX = 480;
  private static final double SHARE_MAX = 1.2;

  void write(Path file) throws IOException {
    Files.writeString(file, toString());
  }

  @Override
  public String toString() {
    List<Result> bars = report.of(workload).stream().filter(r -> r.ratioToPlain() != null).toList();
    StringBuilder svg = new StringBuilder();
    int height = ROW * (bars.size() + 2);
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            .formatted(WIDTH, height, WIDTH, height));
    svg.append(" font-family=\"sans-serif\" font-size=\"13\">\n");
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    text(svg, 8, 17, "Records per second as a share of the plain loop, " + workload);
    for (int i = 0; i < bars.size(); i++) {
      bar(svg, bars.get(i), ROW * (i + 1));
    }
    int plain = LABELS + width(1);
    svg.append(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#888888\" stroke-dasharray=\"3 3\"/>\n"
            .formatted(plain, ROW, plain, height - ROW));
    return svg.append("</svg>\n").toString();
  }

  private static void bar(StringBuilder svg, Result result, int y) {
    double share = result.ratioToPlain() == null ? 0 : result.ratioToPlain();
    text(svg, 8, y + 17, result.contender());
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n"
            .formatted(LABELS, y + 4, width(share), ROW - 8, colour(result.contender())));
    text(
        svg,
        LABELS + width(share) + 6,
        y + 17,
        String.format(Locale.ROOT, share < 0.1 ? "%.3f" : "%.2f", share));
  }

  /** Longer bars are cut: their number says how long they were. */
  private static int width(double share) {
    return (int) Math.max(1, Math.round(Math.min(share, SHARE_MAX) / SHARE_MAX * BAR_MAX));
  }

  private static String colour(String contender) {
    if (Contenders.isOurs(contender)) {
      return "#1a7f5a";
    }
    return contender.startsWith("limit-") ? "#9db7d5" : "#c9c9c9";
  }

  private static void text(StringBuilder svg, int x, int y, String text) {
    svg.append("<text x=\"%d\" y=\"%d\" fill=\"#222222\">%s</text>\n".formatted(x, y, text));
  }
}
