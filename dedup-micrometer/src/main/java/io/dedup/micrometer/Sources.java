// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets a bounded number of labels become tags: a label that turns out to be an id must cost a few
 * meters, not the registry's memory. Thread-safe.
 */
final class Sources {

  private static final String TAG = "source";
  private static final Tags NONE = Tags.of(TAG, "none");
  private static final Tags OTHER = Tags.of(TAG, "other");

  private final int max;
  private final Map<String, Tags> known = new ConcurrentHashMap<>();

  Sources(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("max-sources: was " + max + ", must be at least 1");
    }
    this.max = max;
  }

  Tags tag(String label) {
    if (label.isBlank()) {
      return NONE;
    }
    Tags tags = known.get(label);
    return tags == null ? add(label) : tags;
  }

  /** One at a time, so that the bound holds whoever races. */
  private synchronized Tags add(String label) {
    return known.size() < max
        ? known.computeIfAbsent(label, name -> Tags.of(TAG, name))
        : known.getOrDefault(label, OTHER);
  }
}
