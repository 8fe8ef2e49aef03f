// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, whatever they throw. Thread-safe. */
final class Told {

  private static final Logger LOG = LoggerFactory.getLogger(Told.class);

  private final List<HttpListener> listeners;

  Told(List<HttpListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  void tell(String operation, RequestOutcome outcome) {
    for (HttpListener listener : listeners) {
      try {
        listener.treated(operation, outcome);
      } catch (RuntimeException e) {
        LOG.warn("a listener failed", e);
      }
    }
  }
}
