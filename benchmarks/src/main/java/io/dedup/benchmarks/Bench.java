// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;
import java.util.Set;

/**
 * All that a workload needs.
 *
 * @param backends the servers
 * @param topics the topics
 * @param track lets contenders pass over topics
 * @param metering counts what they send
 * @param contenders all of them
 * @param selected names of those to measure, empty for all
 * @param scale how much
 * @param rounds how often
 * @param steps is told how far we are
 */
record Bench(
    Backends backends,
    Topics topics,
    Track track,
    Metering metering,
    Contenders contenders,
    Set<String> selected,
    Scale scale,
    int rounds,
    Steps steps) {

  /** Those of a workload's contenders that are to be measured. */
  List<String> chosen(List<String> ofWorkload) {
    return ofWorkload.stream().filter(this::isSelected).toList();
  }

  boolean isSelected(String name) {
    return selected.isEmpty() || selected.contains(name);
  }
}
