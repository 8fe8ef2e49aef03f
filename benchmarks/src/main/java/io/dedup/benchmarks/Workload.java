// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;

/** Something that contenders are measured at. */
interface Workload {

  /** As in the report. */
  String name();

  /** The names of those who are measured at it. */
  List<String> contenders();

  /** Measures those of them that are chosen. */
  List<Result> measure(Bench bench);
}
