// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener, whatever the others do. Thread-safe. */
final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final List<DedupListener> listeners;

  Listeners(List<DedupListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  void tell(DedupEvent event) {
    for (DedupListener listener : listeners) {
      try {
        listener.on(event);
      } catch (Throwable e) {
        // Errors as well: thrown on from here, one would count as the handler's, whose effect may
        // be done.
        LOG.warn("a listener failed at {}", event.getClass().getSimpleName(), e);
      }
    }
  }
}
