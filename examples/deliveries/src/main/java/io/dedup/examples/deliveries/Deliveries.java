// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.io.IOException;
import java.util.function.Consumer;

/** Where deliveries come from. */
interface Deliveries {

  /**
   * Gives each delivery to {@code sink}.
   *
   * @return how many lines were no deliveries
   */
  long forEach(Consumer<WebhookDelivery> sink) throws IOException;

  /** Returns how many there are. */
  long count() throws IOException;
}
