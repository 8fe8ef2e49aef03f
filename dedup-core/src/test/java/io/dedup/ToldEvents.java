// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was told, in order. Thread-safe. */
final class ToldEvents implements DedupListener {

  private final List<DedupEvent> told = new CopyOnWriteArrayList<>();

  @Override
  public void on(DedupEvent event) {
    told.add(event);
  }

  List<DedupEvent> all() {
    return List.copyOf(told);
  }

  <E extends DedupEvent> List<E> of(Class<E> kind) {
    return told.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  List<String> names() {
    return told.stream().map(e -> e.getClass().getSimpleName()).toList();
  }
}
