// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.HotKeyStore;
import io.dedup.claim.HotKeys;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of keys that many ask for, one memory for each kind of store, so that
 * whoever changes a key has it forgotten by all. Thread-safe.
 */
final class HotStores {

  private final Map<StoreKind, HotKeys> memories = new EnumMap<>(StoreKind.class);

  /**
   * Makes the memories, empty.
   *
   * @throws ConfigurationRefused if a setting cannot be
   */
  HotStores(DedupProperties.HotKeyMemory properties) {
    if (!properties.enabled()) {
      return;
    }
    try {
      for (StoreKind kind : StoreKind.values()) {
        HotKeys keys =
            HotKeys.builder()
                .maxAge(properties.maxAge())
                .busyWindow(properties.busyWindow())
                .maxBytes(properties.maxBytes())
                .build();
        memories.put(kind, keys);
      }
    } catch (IllegalArgumentException e) {
      throw ConfigurationRefused.property("dedup.hot-keys." + e.getMessage(), "", e);
    }
  }

  /**
   * Returns the store with its memory in front of it, if there is one.
   *
   * @param kind of the store, null for the application's own, which is left as it is
   */
  ClaimStore around(@Nullable StoreKind kind, ClaimStore store) {
    HotKeys keys = kind == null ? null : memories.get(kind);
    return keys == null ? store : HotKeyStore.of(store, keys);
  }

  /** Returns how many claims were answered "done" without a store. */
  double completedAnswers() {
    return sum(HotKeys::completedAnswers);
  }

  /** Returns how many claims were answered "busy" without a store. */
  double busyAnswers() {
    return sum(HotKeys::busyAnswers);
  }

  private double sum(ToLongFunction<HotKeys> count) {
    return memories.values().stream().mapToLong(count).sum();
  }
}
